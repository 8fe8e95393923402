// The id of a row, as requests and responses have it.
import * as z from 'zod'

/** Up to 2^53 − 1, the largest number that every reader of JSON takes exactly. Both engines store 64 bits. */
export const RowId = z.int().min(1).meta({ format: 'int64' })

/** An id as text, of at most as many digits as 2^53 − 1 has. */
export const idText = /^\d{1,16}$/

/** Where addresses and assistants also send an id as text. */
export const GivenRowId = z.preprocess(
  (given) => (typeof given === 'string' && idText.test(given) ? Number(given) : given),
  RowId,
)
