// Codes of an authenticator app (RFC 6238): SHA-1, six digits, a new one every 30 seconds. Every app supports these values, and
// some ignore other values in the address.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { randomText } from '../../base/secret/secrets.ts'

const STEP_MS = 30_000
const DIGITS = 6
/** How far the clock of the phone may be off, in steps. */
const STEPS_OFF = 1
/** 160 bits, as RFC 4226 §4 recommends; a base32 character has five bits. */
const SECRET_CHARACTERS = 32
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Binds the sealed secret to its person: it cannot be opened in another person's row. */
export const totpSealPurpose = (userId: string): string => `second factor of ${userId}`

/** In base32, which people can type into an app. */
export const createTotpSecret = (): string => randomText(SECRET_CHARACTERS).toUpperCase()

/** The content of the QR code. */
export function otpauthUri(secret: string, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  const query = `secret=${secret}&issuer=${encodeURIComponent(issuer)}`
  return `otpauth://totp/${label}?${query}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_MS / 1000}`
}

/** Removes the space that some apps show in the middle. */
const bare = (code: string): string => code.replaceAll(/[\s-]/g, '')
/** Whether the text has the form of an app's code. */
export const isCode = (typed: string): boolean => /^\d+$/.test(bare(typed)) && bare(typed).length === DIGITS

/** The steps around this time that have this code. All are compared, so that the timing does not reveal which one matched. */
export function stepsOfCode(secret: string, code: string, now: number): number[] {
  const key = decodeBase32(secret)
  const given = Buffer.from(bare(code))
  const current = Math.floor(now / STEP_MS)
  const around = Array.from({ length: 2 * STEPS_OFF + 1 }, (_, index) => current - STEPS_OFF + index)
  return around.filter((step) => {
    const expected = Buffer.from(codeOf(key, step))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

/** RFC 4226 §5.3 */
function codeOf(key: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.max(0, step)))
  const digest = createHmac('sha1', key).update(counter).digest()
  const offset = digest.at(-1)! & 15
  const number = (digest.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** DIGITS
  return String(number).padStart(DIGITS, '0')
}

function decodeBase32(text: string): Buffer {
  const bytes: number[] = []
  let bits = 0
  let rest = 0
  for (const character of text) {
    rest = ((rest << 5) | ALPHABET.indexOf(character)) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((rest >> bits) & 0xff)
  }
  return Buffer.from(bytes)
}
