/** A pass that was read somewhere else in the app, such as in a dropped picture, on its way to the screen that shows it. */

import { dayOfName } from '../../../../server/domain/imports/boarding-pass.ts'
import { dayTaken } from '../../../../server/domain/imports/photo.ts'
import { t } from '../../i18n/i18n.svelte.ts'
import { today } from '../../lib/fields/typed.ts'
import { takePass } from '../../line/pass.ts'
import { readPicture } from './decode.ts'
import { readCode, type SeenPass } from './pass.ts'

let handed: SeenPass | null = null

export function hand(pass: SeenPass): void {
  handed = pass
}

/** Once: the next visit of the screen starts with the camera again. */
export function takeHanded(): SeenPass | null {
  const pass = handed ?? takePass()
  handed = null
  return pass
}

/** Cameras write it at the beginning of the file. */
const HEAD_BYTES = 128 * 1024

const dayIn = async (file: Blob): Promise<string | null> =>
  dayTaken(new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()))

/** The pass in a picture, or what is there instead, in words. The picture stays in the browser. */
export async function passIn(
  file: Blob,
  name = file instanceof File ? file.name : '',
): Promise<SeenPass | string> {
  let codes: Awaited<ReturnType<typeof readPicture>>
  try {
    codes = await readPicture(file)
  } catch {
    return t('scan.readerFailed')
  }
  if (codes === null) return t('scan.picture.unreadable')
  const day = (await dayIn(file)) ?? dayOfName(name, today()) ?? today()
  const read = codes.map(({ text, format }) => readCode(text, day, format))
  const pass = read.find((one) => 'pass' in one)
  if (pass && 'pass' in pass) return pass.pass
  const [other] = read
  return other && 'other' in other
    ? t(`scan.picture.${other.other}`, { host: other.host })
    : t('scan.picture.none')
}
