// Numbers as people type them, with a decimal point or a decimal comma.

export type NumberReason = 'unreadable' | 'grouping'
type TypedNumber = { ok: true; value: number } | { ok: false; reason: NumberReason }

/**
 * A separator before exactly three digits could be a thousands separator (`1,500`). It counts as a decimal sign only if the
 * person's language uses it so, or if the grouped number would exceed what the field can hold.
 */
export function readNumber(
  text: string,
  { decimal, most = Number.POSITIVE_INFINITY }: { decimal: '.' | ','; most?: number | undefined },
): TypedNumber {
  const plain = text.normalize('NFKC').replaceAll(/[−–]/g, '-').trim()
  const match = /^([+-]?)(\d*)(?:([.,])(\d+))?(e[+-]?\d{1,3})?$/i.exec(plain)
  const [, sign, whole = '', separator, fraction, exponent = ''] = match ?? []
  if (!match || (whole === '' && fraction === undefined)) return { ok: false, reason: 'unreadable' }
  const couldGroup =
    separator !== undefined && separator !== decimal && /^[1-9]\d{0,2}$/.test(whole) && fraction?.length === 3
  if (couldGroup && Number(whole + fraction) <= most) return { ok: false, reason: 'grouping' }
  const value = Number(`${sign}${whole || '0'}.${fraction ?? '0'}${exponent}`)
  return Number.isFinite(value) ? { ok: true, value } : { ok: false, reason: 'unreadable' }
}

export const writeNumber = (value: number, decimal: '.' | ','): string => String(value).replace('.', decimal)
