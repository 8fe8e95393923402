// Passes of Apple Wallet, packed as phones receive them.
import { strToU8, zipSync } from 'fflate'

/** `strings` by language, as bytes: the encodings of passes differ. */
export const pkpassOf = (pass: unknown, strings: Record<string, Uint8Array> = {}): Uint8Array =>
  zipSync({
    'pass.json': strToU8(typeof pass === 'string' ? pass : JSON.stringify(pass)),
    'manifest.json': strToU8('{}'),
    signature: strToU8('not verified'),
    'icon.png': Uint8Array.of(0x89, 0x50, 0x4e, 0x47),
    ...Object.fromEntries(
      Object.entries(strings).map(([language, bytes]) => [`${language}.lproj/pass.strings`, bytes]),
    ),
  })
