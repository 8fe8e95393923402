// Generates the Inter fonts for the pictures that the server draws. The renderer reads neither WOFF2 nor variable fonts, so
// these are TrueType files, one per weight, reduced to the scripts below.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import subsetFont from 'subset-font'

const weights = { 400: '400Regular', 600: '600SemiBold', 700: '700Bold' }

/** Latin, Greek, Cyrillic, Vietnamese, punctuation, currencies. */
const ranges = [
  [0x20, 0x7e],
  [0xa0, 0x52f],
  [0x1e00, 0x1fff],
  [0x2000, 0x206f],
  [0x20a0, 0x20bf],
  [0x2100, 0x214f],
  [0x2190, 0x21ff],
  [0x2212, 0x2212],
]

const source = join(import.meta.dirname, 'node_modules/@expo-google-fonts/inter')
const target = join(import.meta.dirname, '../../assets/fonts')
const text = ranges
  .flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i)),
  )
  .join('')

mkdirSync(target, { recursive: true })
for (const [weight, name] of Object.entries(weights)) {
  const whole = readFileSync(join(source, name, `Inter_${name}.ttf`))
  const font = await subsetFont(whole, text, { targetFormat: 'truetype', noLayoutClosure: true })
  writeFileSync(join(target, `Inter-${weight}.ttf`), font)
}
copyFileSync(join(source, 'LICENSE_FONT'), join(target, 'OFL.txt'))
