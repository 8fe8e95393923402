// A whole log as a document of pieces, newest flight first. The bytes of a piece depend on its flights and their versions,
// so after a write only the piece with the written flight is made again.
import { hash } from 'node:crypto'
import type { Deflated } from '../../base/response/deflated.ts'
import type { Call } from '../../door/operation.ts'
import {
  findFlights,
  listVersions,
  type Position,
  START,
  type StoredFlight,
} from '../../store/flights/flights.ts'
import { type AudienceInput, audienceOf, namesRevision } from './audience.ts'

/** Read by one statement, and made without a pause. */
const FLIGHTS_AT_MOST = 64
/** A flight in so many ends a piece, as a power of two. */
const ENDS_IN = 5
const VERSIONS_AT_ONCE = 2000

/**
 * Where a piece ends depends on the id alone: a new or deleted flight changes its own piece and moves no other. Multiplied
 * by the golden ratio, consecutive ids are spread evenly.
 */
const endsPiece = (id: number): boolean => Math.imul(id, 0x9e3779b1) >>> (32 - ENDS_IN) === 0

interface Piece {
  ids: number[]
  /** Ids with versions. */
  text: string
}

async function* piecesOf({ db, principal, input }: Call<AudienceInput>): AsyncGenerator<Piece> {
  const audience = audienceOf(principal, input)
  let piece: Piece = { ids: [], text: '' }
  for (let place: Position = START; ; ) {
    const flights = await listVersions(db, audience, place, VERSIONS_AT_ONCE)
    for (const { id, version } of flights) {
      piece.ids.push(id)
      piece.text += `${id}.${version} `
      if (!endsPiece(id) && piece.ids.length < FLIGHTS_AT_MOST) continue
      yield piece
      piece = { ids: [], text: '' }
    }
    const last = flights.at(-1)
    if (!last || flights.length < VERSIONS_AT_ONCE) break
    place = last
  }
  if (piece.ids.length > 0) yield piece
}

export interface PieceForm {
  /** The document, and everything that it shows besides flights, names and the caller's own view of them. */
  name: string
  /** Between two flights. */
  separator: string
  /** The flights, separated; '' if the document shows none of them. */
  write(flights: readonly StoredFlight[]): Promise<string>
}

/** The flights of the call's log in this form. Read them from one snapshot, after the call's revisions were read. */
export async function* logInPieces(
  call: Call<AudienceInput>,
  { name, separator, write }: PieceForm,
): AsyncGenerator<Deflated> {
  const { principal, services, db } = call
  const { epoch } = principal.revisions
  const about = `${services.version}/${name}/${principal.user.id}/${epoch}/${await namesRevision(call)}`
  let before = ''
  for await (const { ids, text } of piecesOf(call)) {
    const start = before
    const key = hash('sha256', `${about}/${start}/${text}`, 'base64url')
    const piece = await services.keptPieces.piece(key, async () => {
      const written = await write(await findFlights(db, ids))
      return written === '' ? '' : start + written
    })
    if (piece.plainBytes === 0) continue
    before = separator
    yield piece
  }
}
