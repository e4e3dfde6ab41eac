/** The prompt templates that the studio offers, from templates.json, validated at start-up and after changes. */
import { type Static, Type } from 'typebox'
import { ConfigError } from '../config/config.ts'
import { catalogueFolders, catalogueTexts } from '../config/package-dir.ts'
import { PROMPT_CHARACTERS_MAX } from '../film/limits.ts'
import { readJsonFile } from '../text/json-file.ts'

const TITLE_CHARACTERS_MAX = 40
const TEMPLATES_MAX = 24

/** Chinese readers read the English text where there is no other. */
const textOf = (maxLength: number) => {
  const text = Type.String({ minLength: 1, maxLength })
  return Type.Object({ en: text, zh: Type.Optional(text) }, { additionalProperties: false })
}
export const Template = Type.Object(
  { title: textOf(TITLE_CHARACTERS_MAX), prompt: textOf(PROMPT_CHARACTERS_MAX) },
  {
    additionalProperties: false,
    title: 'PromptTemplate',
    description: 'What is in braces is a placeholder: its words stand for those of the user',
    examples: [
      { title: { en: 'Product', zh: '产品' }, prompt: { en: '{A glass bottle} on wet black stone, turning slowly.' } },
    ],
  },
)
const TemplatesFile = Type.Object(
  { templates: Type.Array(Template, { maxItems: TEMPLATES_MAX }) },
  { additionalProperties: false },
)

export type PromptTemplate = Static<typeof Template>

let inForce: PromptTemplate[] | undefined

/** The templates in force. @throws ConfigError that names the problem of each invalid entry */
export function promptTemplates(): PromptTemplate[] {
  inForce ??= readTemplates()
  return inForce
}

/** Takes other templates, all at once. */
export function replaceTemplates(templates: PromptTemplate[]): void {
  inForce = templates
}

/** The operator's templates, or those of the release. @throws ConfigError */
export function readTemplates(folders = catalogueFolders()): PromptTemplate[] {
  const found = catalogueTexts('templates.json', folders).at(-1)
  return found ? parseTemplates(found.text, found.file) : []
}

/** @param text of a templates.json. @throws ConfigError */
export function parseTemplates(text: string, file: string): PromptTemplate[] {
  const { value, problems } = readJsonFile(file, text, TemplatesFile)
  if (!value) throw new ConfigError(problems)
  return value.templates
}
