// `contrail uploads …`: uploaded pictures, and the files of open imports.
import { systemClock } from '../base/clock.ts'
import { isImportPath } from '../store/imports/files.ts'
import { openUploadPlace } from '../store/uploads/open.ts'
import { isUploadPath } from '../store/uploads/pictures.ts'
import { type UploadPlace, uploadFolders } from '../store/uploads/place.ts'
import { command, UsageError } from './command.ts'

const places = ['folder', 'database', 's3'] as const

export const uploadCommands = [
  command({
    words: 'uploads move',
    arguments: ['FROM'],
    options: {},
    description:
      'move uploaded pictures and files of imports from their former place (folder, database or s3) to UPLOADS',
    async run({ store, config, args, say }) {
      const from = places.find((place) => place === args[0])
      if (from === undefined) throw new UsageError(`name the former place: ${places.join(', ')}`)
      if (from === config.uploads) throw new UsageError(`UPLOADS is already ${from}`)
      if (from === 's3' && !config.s3) throw new UsageError('set S3_ENDPOINT and the other S3 settings')
      const parts = { store, clock: systemClock }
      const source = openUploadPlace({ ...parts, config: { ...config, uploads: from } })
      const paths = await finishedPaths(source)
      await copyAll(paths, source, openUploadPlace({ ...parts, config }))
      // Remove only after everything is copied: until then the former place is complete.
      for (const path of paths) await source.remove(path)
      say(`moved ${paths.length} uploads from ${from} to ${config.uploads}`)
    },
  }),
]

async function finishedPaths(place: UploadPlace): Promise<string[]> {
  const found = await Promise.all(uploadFolders.map((folder) => place.list(folder)))
  return found
    .flat()
    .map(({ path }) => path)
    .filter((path) => isUploadPath(path) || isImportPath(path))
}

async function copyAll(paths: readonly string[], from: UploadPlace, to: UploadPlace): Promise<void> {
  for (const path of paths) {
    const bytes = await from.read(path)
    if (bytes) await to.write(path, bytes)
  }
}
