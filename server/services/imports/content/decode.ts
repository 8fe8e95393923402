// Decodes bytes to text: by byte order mark, by valid encodings, by the document's declaration, otherwise as windows-1252.

const DECLARED_WITHIN = 2048
/** How many bytes at the beginning are searched for zero bytes. */
const ZEROS_WITHIN = 4096

/** The text of a file, without byte order mark and with non-breaking spaces as spaces. */
export function decode(bytes: Uint8Array): string {
  const text = withoutMark(repaired(decoded(bytes)))
  return text.includes('\u00a0') ? text.replaceAll('\u00a0', ' ') : text
}

function decoded(bytes: Uint8Array): string {
  const wide = utf16Of(bytes)
  if (wide) return new TextDecoder(wide).decode(bytes)
  const utf8 = decodeStrictly(bytes, 'utf-8')
  if (utf8 !== null) return utf8
  const declared = declaredCharset(bytes)
  return (declared && decodeStrictly(bytes, declared)) ?? new TextDecoder('windows-1252').decode(bytes)
}

/** Recognised by its mark or by zero bytes: in UTF-16 every second byte of Latin text is zero. */
function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const end = Math.min(bytes.length, ZEROS_WITHIN) & ~1
  let [even, odd] = [0, 0]
  for (let i = 0; i < end; i += 2) {
    if (bytes[i] === 0) even++
    if (bytes[i + 1] === 0) odd++
  }
  const many = end / 2 / 3
  if (odd > many && even * 10 < odd) return 'utf-16le'
  return even > many && odd * 10 < even ? 'utf-16be' : null
}

function decodeStrictly(bytes: Uint8Array, charset: string): string | null {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes)
  } catch {
    // The text is not in that charset, or no decoder knows the name.
    return null
  }
}

/** `<?xml encoding="…">`, `<meta charset=…>`, `Content-Type: …; charset=…`. */
function declaredCharset(bytes: Uint8Array): string | null {
  const start = new TextDecoder('windows-1252').decode(bytes.subarray(0, DECLARED_WITHIN))
  const name = /\b(?:charset|encoding)\s*=\s*["']?([\w.:-]+)/i.exec(start)?.[1]?.toLowerCase()
  // Files declared as ISO-8859-1 are usually windows-1252; TextDecoder treats the two alike.
  return name === undefined || /^utf-?(8|16)/.test(name) ? null : name
}

const withoutMark = (text: string): string => text.replace(/^\ufeff+/, '')

/** windows-1252 from 0x80 to 0x9F; the rest is Latin-1. */
const special = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
const specialByte = new Map([...special].map((letter, index) => [letter.charCodeAt(0), 0x80 + index]))

/** Repairs `KÃ¸benhavn`: UTF-8 that was decoded as windows-1252 and encoded again. Only if the whole text allows it. */
function repaired(text: string): string {
  if (!/[ÃÂâÅÄ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/.test(text)) return text
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const byte = code < 0x80 || (code > 0x9f && code < 0x100) ? code : specialByte.get(code)
    if (byte === undefined) return text
    bytes[i] = byte
  }
  return decodeStrictly(bytes, 'utf-8') ?? text
}
