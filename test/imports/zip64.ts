// The same archive, with every size and position in the fields of zip64.
const ELSEWHERE = 0xffffffff

export function asZip64(zip: Uint8Array): Uint8Array {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength)
  const end = zip.length - 22
  const count = view.getUint16(end + 10, true)
  const start = view.getUint32(end + 16, true)
  const entries: Uint8Array[] = []
  for (let at = start, i = 0; i < count; i++) {
    const length = 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true)
    entries.push(entry64(zip.slice(at, at + length)))
    at += length + view.getUint16(at + 32, true)
  }
  const directory = Buffer.concat(entries)
  return new Uint8Array(
    Buffer.concat([zip.subarray(0, start), directory, ends(count, directory.length, start)]),
  )
}

/** Follows a field with another meaning. */
function entry64(entry: Uint8Array): Uint8Array {
  const view = new DataView(entry.buffer)
  const extra = new DataView(new ArrayBuffer(6 + 28))
  extra.setUint16(0, 0x5455, true)
  extra.setUint16(2, 2, true)
  extra.setUint16(6, 1, true)
  extra.setUint16(8, 24, true)
  for (const [index, place] of [24, 20, 42].entries()) {
    extra.setBigUint64(10 + index * 8, BigInt(view.getUint32(place, true)), true)
    view.setUint32(place, ELSEWHERE, true)
  }
  view.setUint16(30, view.getUint16(30, true) + extra.byteLength, true)
  view.setUint16(32, 0, true)
  return new Uint8Array(Buffer.concat([entry, new Uint8Array(extra.buffer)]))
}

function ends(count: number, size: number, start: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(56 + 20 + 22))
  view.setUint32(0, 0x06064b50, true)
  view.setBigUint64(4, 44n, true)
  for (const place of [24, 32]) view.setBigUint64(place, BigInt(count), true)
  view.setBigUint64(40, BigInt(size), true)
  view.setBigUint64(48, BigInt(start), true)
  view.setUint32(56, 0x07064b50, true)
  view.setBigUint64(64, BigInt(start + size), true)
  view.setUint32(72, 1, true)
  view.setUint32(76, 0x06054b50, true)
  for (const place of [84, 86]) view.setUint16(place, 0xffff, true)
  for (const place of [88, 92]) view.setUint32(place, ELSEWHERE, true)
  return new Uint8Array(view.buffer)
}
