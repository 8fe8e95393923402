// The encrypted body of a push message (RFC 8188, RFC 8291), whose plain text is Declarative Web Push JSON. All bodies have one
// length, so that the push service does not learn from it what a message says.
import { createECDH } from 'node:crypto'
import ece from 'http_ece'
import type { Language } from '../../domain/languages.ts'

/** Of the padded plain text. */
const MESSAGE_BYTES = 1024
const CURVE = 'prime256v1'

export interface PushKeys {
  p256dh: string
  auth: string
}

/** What a device shows. `navigate` is an address of this instance. */
export interface ShownMessage {
  title: string
  body: string
  lang: Language
  tag: string
  navigate: string
}

/** Whether messages can be encrypted for these keys: an uncompressed point of the curve, and 16 bytes. */
export function areKeys({ p256dh, auth }: PushKeys): boolean {
  const isText = [p256dh, auth].every((text) => /^[\w-]+={0,2}$/.test(text))
  const [point, secret] = [p256dh, auth].map((text) => Buffer.from(text, 'base64url')) as [Buffer, Buffer]
  if (!isText || point.length !== 65 || point[0] !== 4 || secret.length !== 16) return false
  try {
    const own = createECDH(CURVE)
    own.generateKeys()
    own.computeSecret(point)
    return true
  } catch {
    return false
  }
}

export function encryptMessage(message: ShownMessage, keys: PushKeys): Buffer {
  const text = cutToFit(message)
  const privateKey = createECDH(CURVE)
  privateKey.generateKeys()
  return ece.encrypt(text, {
    version: 'aes128gcm',
    dh: keys.p256dh,
    authSecret: keys.auth,
    privateKey,
    pad: MESSAGE_BYTES - text.length,
  })
}

const write = ({ title, body, lang, tag, navigate }: ShownMessage): Buffer =>
  Buffer.from(
    JSON.stringify({ web_push: 8030, notification: { title, body, lang, dir: 'ltr', tag, navigate } }),
  )

/** Shortens the body, and then the title, of a message that is too long. */
function cutToFit(message: ShownMessage): Buffer {
  let shown = message
  for (let text = write(shown); ; text = write(shown)) {
    const excess = text.length - MESSAGE_BYTES
    if (excess <= 0) return text
    const part = shown.body === '' ? 'title' : 'body'
    if (shown[part] === '') throw new RangeError('the message is too long')
    shown = { ...shown, [part]: shortened(shown[part], excess) }
  }
}

/** A character takes at least a byte, so this may still be too long and is then repeated. */
function shortened(text: string, byBytes: number): string {
  const characters = [...text.replace(/…$/, '')]
  const kept = characters.slice(0, Math.max(0, characters.length - Math.max(1, Math.ceil(byBytes / 4)) - 1))
  return kept.length === 0 ? '' : `${kept.join('').trimEnd()}…`
}
