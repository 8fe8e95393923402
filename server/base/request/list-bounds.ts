// Finds lists that are too long before their members are validated: validating a million members, with an error for each,
// would block all other requests.
import type * as z from 'zod'
import { problem } from '../../domain/reasons.ts'
import { detail, type ErrorDetail } from '../errors.ts'

/** For lists whose schema declares no bound. */
const DEFAULT_BOUND = 10_000

type Definition = z.core.$ZodTypeDef & {
  innerType?: z.core.$ZodType
  in?: z.core.$ZodType
  out?: z.core.$ZodType
  options?: z.core.$ZodType[]
  element?: z.core.$ZodType
  shape?: Record<string, z.core.$ZodType>
}

/** The first list with more members than its schema allows, as the detail of an error. */
export function findTooLongList(
  schema: z.core.$ZodType,
  value: unknown,
  path: string[] = [],
): ErrorDetail | undefined {
  const definition = schema._zod.def as Definition
  // The input of a transformation is described by its inner schema.
  const within =
    definition.innerType ?? (definition.in?._zod.def.type === 'transform' ? definition.out : definition.in)
  if (within) return findTooLongList(within, value, path)
  if (Array.isArray(value)) return faultOfList(definition, value, path)
  if (!definition.shape || value === null || typeof value !== 'object') return undefined
  for (const [name, part] of Object.entries(definition.shape)) {
    const member = (value as Record<string, unknown>)[name]
    const fault = member === undefined ? undefined : findTooLongList(part, member, [...path, name])
    if (fault) return fault
  }
  return undefined
}

function faultOfList(definition: Definition, list: unknown[], path: string[]): ErrorDetail | undefined {
  const listed = definition.options?.find((option) => option._zod.def.type === 'array') ?? undefined
  const own = listed ? (listed._zod.def as Definition) : definition
  return own.element && faultOfLength(own, list, path)
}

function faultOfLength(definition: Definition, list: unknown[], path: string[]): ErrorDetail | undefined {
  const bounds = (definition.checks ?? []).flatMap(({ _zod: { def } }) =>
    def.check === 'max_length' ? (def as z.core.$ZodCheckMaxLengthDef).maximum : [],
  )
  const bound = bounds.length > 0 ? Math.min(...bounds) : DEFAULT_BOUND
  if (list.length <= bound) return undefined
  return detail(path, problem('too_many', { max: bound }), 'too_big')
}
