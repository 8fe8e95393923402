// The type of a picture, detected from its bytes, never from a file name or a media type.

export const imageTypes = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  svg: 'image/svg+xml',
} as const
export type ImageType = keyof typeof imageTypes

export function imageTypeOf(bytes: Uint8Array): ImageType | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (start.startsWith('\xff\xd8\xff')) return 'jpg'
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'webp'
  const text = textOf(bytes)
  return text !== undefined && svgRoot.test(text.slice(0, PROLOGUE_AT_MOST)) ? 'svg' : undefined
}

const PROLOGUE_AT_MOST = 16_384
/** An XML declaration, comments and a document type may precede the root. */
const svgRoot =
  /^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*(?:<!DOCTYPE[^>[]*>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<svg[\s>]/i

/** The text of an SVG; undefined if it is not one. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
