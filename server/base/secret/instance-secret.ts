// The one secret of the instance, which encrypts stored values that are used again, such as the secrets that sign webhooks.
// It is the setting SECRET_KEY, or created once in a file of the data folder. Neither is ever part of a backup.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'
const FORMAT = 's1.'

/** A sealed text that this instance's secret does not open, because the secret was lost or changed. */
export class Unreadable extends Error {
  constructor() {
    super('sealed with another instance secret')
  }
}

export interface InstanceSecret {
  /** Reads the secret; creates one if there is none. */
  prepare(): void
  /** Encrypts a text. It opens only for the same purpose, so that a sealed text cannot be used in another place. */
  seal(purpose: string, text: string): string
  /** Throws Unreadable. */
  unseal(purpose: string, sealed: string): string
  /** A name for a text that reveals nothing of it, as base64url: the same for the same purpose. */
  mac(purpose: string, text: string): string
}

export const secretFile = (dataDir: string): string => join(dataDir, 'secret.key')

export function createInstanceSecret({
  secretKey,
  dataDir,
}: {
  secretKey: string | undefined
  dataDir: string
}): InstanceSecret {
  let known: string | undefined = secretKey
  const keyFor = (purpose: string): Buffer => {
    known ??= readOrMake(secretFile(dataDir), dataDir)
    return Buffer.from(hkdfSync('sha256', known, '', `contrail ${purpose}`, KEY_BYTES))
  }
  return {
    prepare: () => void keyFor(''),
    seal(purpose, text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, keyFor(purpose), nonce)
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return FORMAT + Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')
    },
    unseal(purpose, sealed) {
      const key = keyFor(purpose)
      try {
        if (!sealed.startsWith(FORMAT)) throw new Unreadable()
        const bytes = Buffer.from(sealed.slice(FORMAT.length), 'base64url')
        const [nonce, rest] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES)]
        const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
        decipher.setAuthTag(rest.subarray(0, TAG_BYTES))
        return decipher.update(rest.subarray(TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      } catch {
        throw new Unreadable()
      }
    },
    mac: (purpose, text) => createHmac('sha256', keyFor(purpose)).update(text).digest('base64url'),
  }
}

function readOrMake(file: string, folder: string): string {
  return read(file) ?? make(file, folder)
}

function read(file: string): string | undefined {
  try {
    const text = readFileSync(file, 'utf8').trim()
    if (text.length < KEY_BYTES) throw new Error(`${file} does not hold an instance secret`)
    return text
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Written under another name and then linked, which fails if the file exists by now: if several processes start at the same
 * time, one creates the secret and the others read it, and none ever reads half of it.
 */
function make(file: string, folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}.${randomBytes(6).toString('hex')}`
  const descriptor = openSync(draft, 'wx', 0o600)
  try {
    writeSync(descriptor, `${randomBytes(KEY_BYTES).toString('base64url')}\n`)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  const made = read(file)
  if (made === undefined) throw new Error(`${file} could not be created`)
  return made
}
