// A secret in a file that a setting names, as container and service managers provide it. The messages contain neither the
// secret nor the path, which may be the secret itself, entered in the wrong variable.
import { readFileSync, statSync } from 'node:fs'

const BYTES_AT_MOST = 64 * 1024

const problems: Record<string, string> = {
  ENOENT: 'the file does not exist; correct the path',
  ENOTDIR: 'the file does not exist; correct the path',
  ENAMETOOLONG: 'the value is too long for a path; enter the path of a file',
}

/** Why a file that a setting names cannot be read, and what to do. */
export function whyUnreadable(error: unknown): string {
  const { code = 'unknown error' } = error as NodeJS.ErrnoException
  return problems[code] ?? `${code}; let the user that runs Contrail read it`
}

/** The only line of the file, without its line end. Throws an error that says what is wrong, without a subject. */
export function secretIn(file: string): string {
  const text = decoded(bytesOf(file)).replace(/[\r\n]+$/, '')
  if (text.trim() === '') throw new Error('is empty')
  if (/[\0\r\n]/.test(text)) throw new Error('must be a file with one line')
  return text
}

function bytesOf(file: string): Buffer {
  let size: number | undefined
  try {
    const stats = statSync(file)
    // Reading a pipe or a device may never end.
    if (stats.isFile()) size = stats.size
    if (size !== undefined && size <= BYTES_AT_MOST) return readFileSync(file)
  } catch (error) {
    throw new Error(`cannot be read (${whyUnreadable(error)})`)
  }
  throw new Error(size === undefined ? 'must be a file' : 'must be a file of at most 64 kB')
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Error('must be a file with UTF-8 text')
  }
}
