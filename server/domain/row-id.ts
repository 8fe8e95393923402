// The id of a row, as requests and responses have it.
import * as z from 'zod'

/** Up to 2^53 − 1, the largest number that every reader of JSON takes exactly. Both engines store 64 bits. */
export const RowId = z.int().min(1).meta({ format: 'int64' })
