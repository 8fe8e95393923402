// How much still fits on a disk.
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Free space on the disk of the folder, which need not exist yet; undefined if it cannot be read. */
export async function freeBytes(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    return isMissing && dirname(folder) !== folder ? freeBytes(dirname(folder)) : undefined
  }
}
