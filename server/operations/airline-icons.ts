// Airlines' icons, of shipped airlines and of those that were added here.
import { invalid, notFound, Unavailable } from '../base/errors.ts'
import { imageTypeOf, imageTypes, textOf } from '../domain/image.ts'
import { cleanSvg } from '../domain/svg.ts'
import { operation, person, type Services } from '../operation.ts'
import { lockReference, noteRecordChanged, updateAirlineIcon } from '../store/custom-records.ts'
import { findAirlines } from '../store/reference.ts'
import { Airline, nothing, pathId, single } from './schemas.ts'

const access = person(['data.airlines.manage'])

const ICON_BYTES_AT_MOST = 5 * 1024 * 1024

export const setAirlineIcon = operation({
  id: 'set-airline-icon',
  method: 'PUT',
  path: '/airlines/{id}/icon',
  door: 'app',
  tag: 'Reference data',
  summary: 'Upload an airline’s icon',
  description:
    'The file itself as the body, up to 5 MB: PNG, JPEG, WebP or SVG, recognised by its content. An SVG is stored as plain shapes: what editors add is left out, and a file with scripts, style sheets, links or embedded content is refused.',
  access,
  params: pathId,
  file: { atMostBytes: ICON_BYTES_AT_MOST, mediaTypes: Object.values(imageTypes) },
  output: single(Airline),
  errors: ['not_found'],
  managesTransaction: true,
  async run({ input, file, db, services }) {
    if ((await findAirlines(db, [input.id])).length === 0) throw notFound('Airline')
    const given = file ?? new Uint8Array()
    const type = imageTypeOf(given)
    if (!type) throw invalid('icon_not_an_image')
    const bytes = type === 'svg' ? requirePlainDrawing(given) : given
    const path = await services.uploads.save('airlines', bytes, type)
    try {
      return { data: await replaceIcon(services, input.id, path) }
    } catch (error) {
      // Whether it was stored may be unknown: a file too many does no harm, one that is named and gone does.
      if (!(error instanceof Unavailable)) await services.uploads.remove(path)
      throw error
    }
  },
})

/** The drawing without anything that could do more than draw. */
function requirePlainDrawing(bytes: Uint8Array): Uint8Array {
  const cleaned = cleanSvg(textOf(bytes) ?? '')
  if ('svg' in cleaned) return Buffer.from(cleaned.svg)
  throw invalid('icon_not_plain', { path: ['icon'], problem: cleaned.fault })
}

export const deleteAirlineIcon = operation({
  id: 'delete-airline-icon',
  method: 'DELETE',
  path: '/airlines/{id}/icon',
  door: 'app',
  tag: 'Reference data',
  summary: 'Delete an airline’s icon',
  access,
  params: pathId,
  output: nothing,
  status: 204,
  errors: ['not_found'],
  managesTransaction: true,
  async run({ input, services }) {
    await replaceIcon(services, input.id, null)
  },
})

/** The old file is removed once the new state is committed: a failed change leaves the icon as it was. */
async function replaceIcon({ store, uploads, log }: Services, id: number, path: string | null) {
  const { before, after } = await store.transaction(async (tx) => {
    await lockReference(tx)
    const [before] = await findAirlines(tx, [id])
    if (!before) throw notFound('Airline')
    await updateAirlineIcon(tx, id, path)
    await noteRecordChanged(tx, 'airline', id)
    return { before, after: (await findAirlines(tx, [id]))[0]! }
  })
  const old = before.iconPath
  if (old)
    await uploads
      .remove(old)
      .catch((error) => log.warn('could not remove an old icon', { reason: String(error) }))
  return after
}
