// The programs that flights can be imported from, and how to get a file from each.
import { preferredLanguage } from '../../domain/languages.ts'
import { everyone, operation } from '../../door/operation.ts'
import { howTo } from '../../services/imports/readers/how-to.ts'
import { sources } from '../../services/imports/reading/sources.ts'
import { list, onePage } from '../wire/schemas.ts'
import { ImportSource } from './schema.ts'

export const listImportSources = operation({
  id: 'list-import-sources',
  method: 'GET',
  path: '/import-sources',
  tag: 'Imports',
  summary: 'List the programs and formats that can be imported',
  description: 'How to get the file from each, in a language of the web app by `Accept-Language`.',
  access: everyone,
  output: list(ImportSource),
  cached: { control: 'public, max-age=300', byLanguage: true },
  run: async ({ web }) => {
    const language = preferredLanguage(web?.languages)
    return onePage(
      sources.map(({ id, name, extensions, options = [] }) => ({
        id,
        name,
        extensions: [...extensions],
        howTo: howTo[language][id],
        options: [...options],
      })),
    )
  },
})
