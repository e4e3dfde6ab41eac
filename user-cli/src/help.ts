const COMMANDS = `Kinora: make films from the command line.

  kinora login                     asks for an API key and keeps it; the studio's page API keys makes one
      --url <address>              of the service, such as https://films.example.com
      --with-key                   reads the key from standard input instead of asking
  kinora logout                    removes the stored key from this machine
  kinora models                    the models, with their lengths, sizes and prices
  kinora generate "<prompt>"       makes a film, and waits for it; costs credits
      --model <id>                 one of kinora models
      --output <file>              downloads the film to this file; - is standard output. Of several: file-1, file-2 …
      --duration <seconds>         the shortest for these values when left out
      --aspect-ratio <w:h>         16:9 when left out, or the first of the model, where no input decides it
      --quality <size>             720p when left out; kinora models lists others
      --seed <n>                   films of the same request and seed resemble each other
      --image <file|address>       the picture that the film begins with
      --end-image <file|address>   the picture that it ends with
      --reference <file|address>   a picture of what the film shows; once for each
      --input <role>=<what>        film, motion, sound, portrait, keyframe@<second>, reference, start, end:
                                   a file, an address, @name of an asset, or the id of a film of yours
      --mode <mode>                where a model has several modes of the same inputs
      --negative-prompt <text>     what the film must not show
      --sound, --no-sound          whether the film has sound; as the model has it when left out
      --option <name>=<value>      what the model alone has; once for each. A wrong name lists them
      --metadata <name>=<value>    a note beside the film, such as the number of an order; once for each. No provider gets it
      --extend <id>                a film of yours that goes on
      --upscale <id>               a film of yours, for a larger copy; without a text
      --n <count>                  1 to 4 films, of consecutive seeds; all are made or none
      --no-wait                    prints the id at once
      --idempotency-key <text>     the same text and film again: no second film is made or paid for
  kinora list                      your films, newest first
      --status <status>            PENDING, GENERATING, UPLOADING, COMPLETED or FAILED
      --search <text>              only films with this text in their prompt
      --limit <n>                  20 when left out
  kinora get <id>                  one film: its status, or why it failed
      --wait                       waits until it is done
      --output <file>              waits, and downloads it
  kinora download <id>             downloads a film that is done, to <id>.mp4
      --output <file>              to this file; - is standard output
  kinora cancel <id>               cancels a film, if its provider can still stop; its credits come back
  kinora balance                   your credits
  kinora history                   where your credits came from and went, newest first
      --csv                        all of it as CSV
      --limit <n>                  20 when left out
  kinora project list              your projects, newest first: films of several shots
      --limit <n>                  20 when left out
  kinora project new "<name>"      begins a project; costs nothing, and prints its id
      --from <file>                its shots: a .csv, else a text, of which blank lines and headings ("Shot 3:", "1.") separate
                                   them; - is standard input. kinora project show --csv writes such a CSV
      --model, --duration, --quality, --aspect-ratio
                                   of each shot, as in kinora generate; a column of the CSV comes first
      --crop                       takes of another shape fill the frame; they get bars otherwise
  kinora project show <id>         its shots: state, credits, prompt; and what generating the rest costs
      --csv                        the shots as CSV
  kinora project quote <id>        what generating the shots that have no take costs, each and together
      --shot <n>                   of this shot, whether it has a take or not; once for each
  kinora project generate <id>     makes a film of each shot that has none, all or none, and waits; says the sum and asks first
      --shot <n>                   of this shot; once for each
      --yes                        does not ask
      --no-wait                    prints the ids of the films at once
      --idempotency-key <text>     the same again: no film is made or paid for twice
  kinora project render <id>       joins the chosen takes to one film, and waits for it
      --output <file>              downloads the film to this file; - is standard output
      --no-wait                    prints the id of the film at once; kinora get waits for it
      --idempotency-key <text>     the same again: no second film is made
  kinora project archive <id>      downloads the chosen takes and an edit list (EDL) as a ZIP, to <id>.zip
      --output <file>              to this file; - is standard output
  kinora project delete <id>       deletes a project; its takes stay, as films
  kinora help                      this text;  kinora --version
`

const SHARED = `With every command:
  --json       one JSON document as the result, also of an error (to standard error)
  --force      replaces a file that exists already
  --team <id>  for a team of which you are a member: its films, its credits
`

const ENVIRONMENT = `Environment:
  KINORA_URL, KINORA_API_KEY       instead of what login has stored
  KINORA_TEAM                      instead of --team
  XDG_CONFIG_HOME                  login stores in kinora/config.json below it, or below ~/.config

Exit status:
  0  done                          5  not enough credits, or the budget of the key is spent
  1  something went wrong          6  the film failed, and its credits are back
  2  a mistake in the command      7  the service is away or busy: try again later
  3  not signed in, or not allowed 130  stopped by Ctrl-C; a film that was begun goes on
  4  there is no such film or project
`

/** `kinora help`. */
export const HELP = [COMMANDS, SHARED, ENVIRONMENT].join('\n')

/** `kinora <command> --help`: the lines of the command alone, and what all commands have. */
export function helpOf(command: string): string {
  const [, ...sections] = COMMANDS.split(/^(?= {2}kinora )/m)
  const own = sections.filter((section) => section.startsWith(`  kinora ${command} `))
  return [own.join(''), SHARED].join('\n')
}
