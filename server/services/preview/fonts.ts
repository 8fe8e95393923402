// The fonts of every drawing. With the machine's fonts, drawings would differ between machines.
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../../assets/fonts')
const names = ['Inter-400.ttf', 'Inter-600.ttf', 'Inter-700.ttf']

export const font = {
  fontFiles: names.map((name) => join(folder, name)),
  loadSystemFonts: false,
  defaultFontFamily: 'Inter',
}
