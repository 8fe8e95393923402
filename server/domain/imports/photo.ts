// The day on which a photograph was taken (Exif in a JPEG file). Pure, so that the browser can read it too.
import { isCalendarDate } from '../time/calendar.ts'

/** `Exif`. */
const EXIF = [0x45, 0x78, 0x69, 0x66]
const EXIF_PART = 0x8769
const TAKEN = 0x9003
const CHANGED = 0x0132
/** A camera writes a few dozen. */
const ENTRIES_AT_MOST = 200

/** YYYY-MM-DD; null if the file does not say it, or is not a JPEG file. Its beginning is enough. */
export function dayTaken(bytes: Uint8Array): string | null {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return null
  const exif = exifOf(bytes)
  if (!exif) return null
  try {
    return dateIn(exif)
  } catch {
    // An offset points outside the data.
    return null
  }
}

/** The content of the first segment of this kind, without its name. */
function exifOf(bytes: Uint8Array): DataView | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 2; at + 10 < bytes.length && bytes[at] === 0xff && bytes[at + 1] !== 0xda; ) {
    const length = view.getUint16(at + 2)
    const end = Math.min(bytes.length, at + 2 + length)
    const isExif = bytes[at + 1] === 0xe1 && EXIF.every((byte, index) => bytes[at + 4 + index] === byte)
    if (isExif) return new DataView(bytes.buffer, bytes.byteOffset + at + 10, Math.max(0, end - at - 10))
    at += 2 + length
  }
  return null
}

function dateIn(view: DataView): string | null {
  const isLittle = view.getUint16(0) === 0x4949
  const entry = (directory: number, tag: number): number | null => {
    const count = Math.min(ENTRIES_AT_MOST, view.getUint16(directory, isLittle))
    for (let i = 0; i < count; i++) {
      const at = directory + 2 + i * 12
      if (view.getUint16(at, isLittle) === tag) return view.getUint32(at + 8, isLittle)
    }
    return null
  }
  const first = view.getUint32(4, isLittle)
  const inner = entry(first, EXIF_PART)
  const place = (inner === null ? null : entry(inner, TAKEN)) ?? entry(first, CHANGED)
  if (place === null) return null
  const text = String.fromCharCode(...Array.from({ length: 10 }, (_, index) => view.getUint8(place + index)))
  const date = text.replaceAll(':', '-')
  return isCalendarDate(date) ? date : null
}
