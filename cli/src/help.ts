/** `kinora help`: the commands, and the settings that a first-time user is likely to need. */
import { readFileSync } from 'node:fs'
import { UsageError } from './cli-error.ts'

const TEXT = `Kinora: AI video generation with a credit ledger, on your own machine.

  npm start            everything in one go: database, simulator, API, worker and studio
  npx kinora <command>

  start      the same as npm start
  api        the HTTP interface and the studio alone
             --processes <n|auto>  n processes that share the port; auto: one for each CPU
  worker     the worker alone
             --node <url>          of a distributed database: claims the work of this node, named by its postgres:// URL
  build      builds studio and server; start, api and worker do it too when what they need is missing or old
  migrate    brings the database up to date
             --distributed         on a coordinator of Citus: divides the tables over its nodes
             --shards <n>          with --distributed: into n parts, 8 by default; the number cannot be changed later
  verify     recomputes every balance from the rows, on the primary or a standby; ends with status 0 when all are right,
             1 when something differs, 2 when it did not get to the end
             --from <users>        goes on where an interrupted check has stopped, as it printed
             --files               checks that storage has every film and asset, too
             --record              shows the result on the administrators' page
             --every <duration>    with --record: goes on, and checks as often
             --connections <n>     parts of the books checked at the same time, 2 by default
  reconcile  asks the payment processors what was paid, refunded and disputed, and applies what no webhook brought
             --days <n>            the last n days instead of RECONCILE_DAYS (7)
             --dry-run             reports and changes nothing
  upgrade --check            the migrations that this release would run, and what each locks for how long
  backup [target]            the database in one snapshot, and the list of films with sizes and hashes
             target: a folder, a file (a name with an extension), or s3://bucket/prefix; BACKUP_TO by default
             --keep <n>            in a folder or at a prefix: removes all but the newest n
             --every <duration>    goes on, and makes one as often
             --list                prints those that are there, and makes none
             --no-hashes           sizes only, without reading every film
             --with-signing-key    has the key that signs films, too, where it is not one of the settings
  restore <target>           a backup into an empty database; ends with verify --files
             --latest              target is a folder or a prefix: the newest backup there
             --no-hashes           compares sizes only
  files copy --to <s3|folder>
             copies earlier films into the store of new ones, after a change of S3_BUCKET or STORAGE, while the service runs
             --remove              removes each from the earlier store once its copy is verified
  reset-password <email>     gives the user a random password, prints it once, and ends all sessions
  promote <email>            makes the user an administrator
  providers  the accounts at AI providers in use: address, reachable or not, whether the key is taken, what each offers, last failure
  catalogue  the models that are served: by which accounts, at which cost, price and margins
             check                 reads every file of the catalogue and explains each mistake
             compare [account]     asks what vendors publish, and stores what differs with drafts for the page Models
             try <model>           the request that a provider would get for a film
             --route <account>     of this account
             --send                sends it, and makes one film at the provider's price
             add <page>…           the first draft of a model's file, from its page at fal, Replicate or OpenRouter, or its OpenAPI
             --model <name>        of a list
  costs      what the films of the last 30 days have cost and earned, by route
             --from <day>          of the days from this one on, such as 2026-01-31, in UTC
             --to <day>            until the end of this one; today by default
             --by <group>          by day, model, account, route or user, or several with commas between them
             --csv                 every figure, as CSV
  switch     what administrators have switched off
             off, on               a model, an account or, with both, a route: for new films, in all processes, within a second
             --model <id>          with off and on
             --account <id>        with off and on
             --reason <text>       with off and on; kept in the audit log
  invite     the link of an invitation to sign up, shown once
             --email <address>     for this address only
             --credits <n>         its gift
             --instead-of-gift     not beside the new-user gift
             --days <n>            how long it can be used (7)
             --list                prints the last ones, and makes none
             --revoke <id>         makes one unusable
  codes      the redemption codes, newest first
             --credits <n>         makes one, for which each user gets n credits
             --credit-days <n>     how long these last (365)
             --uses <n>            how many users may redeem it (1)
             --new-customers       only by those who have paid nothing yet
             --per-network <n>     by how many users of one network
             --days <n>            how long it can be redeemed (30)
             --code <text>         a text of your own, 8 letters and digits at least
             --note <text>         for administrators
             --end <id>            ends one
  samples    has a sample film made of each served model that lacks one, after your yes: lists the films with credits and costs first
             --prompt <text>       of all films
             --model <id>          of this one; may be repeated
             --again               also of models that have one
             --image <link>        for models that make films of images alone
             --user <email>        the account that pays and has the films; the oldest administrator by default
             --yes                 without the question, for scripts
  provenance check <file>    whether the content credentials of a film or poster are valid, by whom, and whether it was made here
             --url <address>       asks this service, and not the database
             sign                  with --all: has the workers sign the stored films that have none, and prints how far they are
             --all                 all films
  doctor     checks Node, settings, data folder, database, clock, storage, content credentials, mail server, callback address, backups, trace collector,
             the keys of AI providers and payment processors, and the sandbox of the media decoder; one line each with what to do
  postgres   the embedded PostgreSQL alone; prints its URL as one line of JSON
             --data-dir <folder>   instead of DATA_DIR
             --fast                without fsync, for tests; without --data-dir in a temporary folder that is
                                   deleted at the end
  help [command]             this text, or what a command takes;  kinora --version

Settings are environment variables, all optional outside production:
  PORT=8081            another port than 8080
  DATA_DIR=/folder     another folder than .kinora
  DATABASE_URL=…       your own PostgreSQL instead of the embedded one
  LOG_LEVEL=debug      a more detailed log
A secret may be in a file: AUTH_SECRET_FILE=/run/secrets/auth instead of AUTH_SECRET.
`

/**
 * @param command prints its part of the text alone
 * @returns the exit status
 */
export function help(command?: string): number {
  const text = command === undefined ? TEXT : partOf(command)
  if (text === undefined)
    throw new UsageError(`There is no command "${command}". "npx kinora help" lists the commands.`)
  process.stdout.write(text)
  return 0
}

/** The line of the command, and those below it that are indented further. */
const partOf = (command: string): string | undefined =>
  TEXT.slice(TEXT.indexOf('  start '))
    .split(/^(?= {2}[a-z])/m)
    .find((part) => part.trimStart().split(/\s/, 1)[0] === command)

export function version(): void {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  process.stdout.write(`${version}\n`)
}
