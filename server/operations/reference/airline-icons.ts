// Icons of shipped airlines and of airlines that were added here.
import { errorMessage, invalid, notFound, Unavailable } from '../../base/errors.ts'
import { imageTypeOf, imageTypes, textOf } from '../../domain/formats/image.ts'
import { operation, person } from '../../door/operation.ts'
import type { Services } from '../../door/services.ts'
import { lockReference, noteRecordChanged, updateAirlineIcon } from '../../store/reference/custom-records.ts'
import { findAirlines } from '../../store/reference/records.ts'
import { Airline, nothing, pathId, single } from '../wire/schemas.ts'

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
    'The file itself as the body, up to 5 MB: PNG, JPEG, WebP or SVG, recognised by its content. An SVG is drawn once and stored as a PNG of 512 pixels. One that shows nothing, contains images or takes too long to draw is refused.',
  access,
  params: pathId,
  body: { file: { atMostBytes: ICON_BYTES_AT_MOST, mediaTypes: Object.values(imageTypes) } },
  output: single(Airline),
  errors: ['not_found'],
  transaction: 'own',
  async run({ input, file, db, services }) {
    if ((await findAirlines(db, [input.id])).length === 0) throw notFound('Airline')
    const given = file ?? new Uint8Array()
    const type = imageTypeOf(given)
    if (!type) throw invalid('icon_not_an_image')
    const path =
      type === 'svg'
        ? await services.uploads.save('airlines', await drawn(services, given), 'png')
        : await services.uploads.save('airlines', given, type)
    try {
      return { data: await replaceIcon(services, input.id, path) }
    } catch (error) {
      // If unavailable, the write may have succeeded: an orphaned file is harmless, a missing one is not.
      if (!(error instanceof Unavailable)) await services.uploads.remove(path)
      throw error
    }
  },
})

async function drawn({ drawIcon }: Services, svg: Uint8Array): Promise<Uint8Array> {
  const png = await drawIcon(textOf(svg) ?? '')
  if (png) return png
  throw invalid('icon_not_drawable', { path: ['icon'], problem: 'icon_not_drawable' })
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
  transaction: 'own',
  async run({ input, services }) {
    await replaceIcon(services, input.id, null)
  },
})

/** The old file is removed after the new state is committed: a failed change leaves the icon as it was. */
async function replaceIcon(
  { store, uploads, log }: Pick<Services, 'store' | 'uploads' | 'log'>,
  id: number,
  path: string | null,
) {
  const { before, after } = await store.transaction(async (tx) => {
    await lockReference(tx)
    const [before] = await findAirlines(tx, [id])
    if (!before) throw notFound('Airline')
    await updateAirlineIcon(tx, { id, iconPath: path })
    await noteRecordChanged(tx, 'airline', id)
    return { before, after: (await findAirlines(tx, [id]))[0]! }
  })
  const old = before.iconPath
  if (old)
    await uploads
      .remove(old)
      .catch((error) => log.warn('could not remove an old icon', { reason: errorMessage(error) }))
  return after
}
