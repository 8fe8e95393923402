// Made-up bar codes of boarding passes, as airlines write them.

interface OnceBlock {
  version?: number
  /** The last digit of the year and the day. */
  issued?: string
  issuer?: string
  tags?: string
  /** Replaces the correct size. */
  size?: string
}
interface Leg {
  locator?: string
  from?: string
  to?: string
  carrier?: string
  number?: string
  day?: string
  compartment?: string
  seat?: string
  sequence?: string
  status?: string
  /** The once-only block, of the first leg. */
  once?: OnceBlock
  /** The repeated block: the seller and the frequent-flyer number. */
  sold?: { carrier?: string; member?: string; bags?: string; fast?: string; size?: string }
  /** The airline's own text. */
  own?: string
  /** Replaces the correct size. */
  size?: string
}

const hex = (length: number): string => length.toString(16).toUpperCase().padStart(2, '0')

function onceBlock({ version = 6, issued = '    ', issuer = '', tags = ''.padEnd(13), size }: OnceBlock) {
  const block = `0WW${issued}B${issuer.padEnd(3)}${tags}`
  return `>${version}${size ?? hex(block.length)}${block}`
}

function soldBlock({ carrier = '', member = '', bags = '   ', fast = ' ', size }: NonNullable<Leg['sold']>) {
  const block = `0752401234567 0${carrier.padEnd(3)}${carrier.padEnd(3)}${member.padEnd(16)} ${bags}${fast}`
  return `${size ?? hex(block.length)}${block}`
}

function legText(leg: Leg): string {
  const { locator = 'Q7RT2M', from = 'MAD', to = 'LHR', carrier = 'IB', number = '3170 ', day = '244' } = leg
  const { compartment = 'Y', seat = '012C', sequence = '0041 ', status = '1', once, sold, own = '' } = leg
  const conditional = `${once ? onceBlock(once) : ''}${sold ? soldBlock(sold) : ''}${own}`
  const front = `${locator.padEnd(7)}${from}${to}${carrier.padEnd(3)}${number}${day}${compartment}`
  return `${front}${seat}${sequence}${status}${leg.size ?? hex(conditional.length)}${conditional}`
}

/** The whole text. Without legs, one from Madrid to London. */
export function passText(
  legs: readonly Leg[] = [{}],
  { name = 'ROSSI/MARIA', flag = 'E', security = '' } = {},
) {
  return `M${legs.length}${name.padEnd(20)}${flag}${legs.map(legText).join('')}${security}`
}
