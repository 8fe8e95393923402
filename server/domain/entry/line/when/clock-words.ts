// Times in words: `halb neun`, `viertel nach acht`, `half past eight`, `quarter to 9`, `huit heures et demie`,
// `a las ocho y media`, `alle otto e mezza`. They mean the morning, unless a part of the day follows: `halb neun abends`, `quarter to ten pm`.
import { twoDigits } from '../../../time/calendar.ts'
import { numerals } from '../words.ts'

const hours: ReadonlyMap<string, number> = new Map([
  ['eins', 1],
  ...numerals.flatMap((words, i) =>
    [...words.split(' '), String(i + 1)].map((word): [string, number] => [word, i + 1]),
  ),
])

/** Minutes to add to the hour that is named. */
const shifts: readonly [RegExp, number][] = [
  [/^halb (\S+)$/, -30],
  [/^(?:half past|half) (\S+)$/, 30],
  [/^(?:viertel nach|quarter past|a quarter past) (\S+)$/, 15],
  [/^(?:viertel vor|quarter to|a quarter to|dreiviertel) (\S+)$/, -15],
  [/^(\S+) heures?$/, 0],
  [/^(\S+) heures? et demie?$/, 30],
  [/^(\S+) heures? et quart$/, 15],
  [/^(\S+) heures? moins le quart$/, -15],
  [/^(?:a las?|alle) (\S+)$/, 0],
  [/^(?:(?:a las?|alle) )?(\S+) (?:y media|e mezz[ao])$/, 30],
  [/^(?:(?:a las?|alle) )?(\S+) (?:y cuarto|e un quarto)$/, 15],
  [/^(?:(?:a las?|alle) )?(\S+) (?:menos cuarto|meno un quarto)$/, -15],
]

export function spokenClock(text: string): string | null {
  for (const [pattern, shift] of shifts) {
    const hour = hours.get(pattern.exec(text)?.[1] ?? '')
    if (hour === undefined) continue
    const minutes = (hour * 60 + shift + 24 * 60) % (24 * 60)
    return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`
  }
  return null
}

// Parts of the day

export type DayPart = 'morning' | 'noon' | 'afternoon' | 'night'

const behind: readonly [RegExp, DayPart][] = [
  [
    / (?:in the morning|morgens|vormittags|du matin|de la manana|de la madrugada|del mattino|di mattina)$/,
    'morning',
  ],
  [/ (?:mittags|del mediodia)$/, 'noon'],
  [
    / (?:in the afternoon|in the evening|nachmittags|abends|de l'apres-midi|du soir|de la tarde|del pomeriggio|di sera)$/,
    'afternoon',
  ],
  [/ (?:at night|nachts|de la noche|di notte)$/, 'night'],
]
const [am, pm] = [/ a\.?m\.?$/, / p\.?m\.?$/]

/** A 24-hour time, or rather a date: `08:30`, `20 Uhr`, `3.12`. */
const notOfTwelve = /^0|^(?:1[3-9]|2\d)|^\d+\.\d+ /

/** The time without the part of the day after it. Digits with `pm` are read elsewhere. */
export function withoutDayPart(text: string): { time: string; part?: DayPart } {
  if (notOfTwelve.test(text)) return { time: text }
  for (const [pattern, part] of behind)
    if (pattern.test(text)) return { time: text.replace(pattern, ''), part }
  const time = text.replace(am, '').replace(pm, '')
  if (time === text || spokenClock(time) === null) return { time: text }
  return { time, part: am.test(text) ? 'morning' : 'afternoon' }
}

/** The part of the day in a date text: “yesterday evening”, “heute Nacht”. */
export const dayPartOf = (date: string): DayPart | undefined =>
  /(?:afternoon|evening|tonight|nachmittags?|abends?|apres-midi|soir|tarde|pomeriggio|sera)$/.test(date)
    ? 'afternoon'
    : /(?:night|nacht|nuit|noche|notte|anoche|stanotte)$/.test(date)
      ? 'night'
      : undefined

/** `HH:MM`, for a time on the 12-hour clock within a part of the day. */
export function withinPart(time: string, part: DayPart | undefined): string {
  const hour = Number(time.slice(0, 2))
  const isLate =
    (part === 'afternoon' && hour < 12) ||
    (part === 'noon' && hour < 3) ||
    (part === 'night' && hour > 5 && hour < 12)
  const isMidnight = hour === 12 && (part === 'morning' || part === 'night')
  return isLate || isMidnight ? `${twoDigits((hour + 12) % 24)}${time.slice(2)}` : time
}
