// Where flights can be brought in from, and how to get the file there.
import { type Language, languages } from '../domain/languages.ts'
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
    const language = languageOf(web?.languages)
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

/** The one of ours that the client prefers. */
function languageOf(header: string | undefined): Language {
  const wishes = (header ?? '').split(',').map((wish) => {
    const [name = '', ...parameters] = wish.trim().toLowerCase().split(';')
    const quality = parameters.map((text) => /^\s*q=([\d.]+)$/.exec(text)?.[1]).find(Boolean)
    return { language: name.split('-')[0], quality: quality === undefined ? 1 : Number(quality) }
  })
  const best = (language: string) =>
    Math.max(0, ...wishes.filter((wish) => wish.language === language).map(({ quality }) => quality))
  return languages.reduce((a, b) => (best(b) > best(a) ? b : a))
}
