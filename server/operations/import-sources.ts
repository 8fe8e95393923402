// Where flights can be brought in from, and how to get the file there.
import { preferredLanguage } from '../domain/languages.ts'
import { sources } from '../imports/sources.ts'
import { everyone, operation } from '../operation.ts'
import { ImportSource } from './import-schema.ts'
import { list, onePage } from './schemas.ts'

export const listImportSources = operation({
  id: 'list-import-sources',
  method: 'GET',
  path: '/import-sources',
  tag: 'Imports',
  summary: 'List the programs and formats that can be imported',
  description: 'How to get the file from each, in English, German or French by `Accept-Language`.',
  access: everyone,
  output: list(ImportSource),
  cacheControl: 'public, max-age=300',
  translated: true,
  run: async ({ web }) => {
    const language = preferredLanguage(web?.languages)
    return onePage(
      sources.map(({ id, name, extensions, howTo, options = [] }) => ({
        id,
        name,
        extensions: [...extensions],
        howTo: howTo[language],
        options: [...options],
      })),
    )
  },
})
