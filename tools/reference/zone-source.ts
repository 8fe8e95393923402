// Reads tzdata in the form that its compiler reads (`man zic`), with names shortened as in tzdata.zi, and computes when
// each zone's offset from UTC changes. Not by zic itself: the one on a machine may be years older than the source, and
// those before 2023d lose Palestine's clock changes after 2072.

/** How a clock time is given: as clocks show it, without summer time, or in UTC. */
type Clock = 'wall' | 'standard' | 'utc'

/** A day and time that can be found in any year, as in `Mar lastSu 1u`. */
interface TimeOfYear {
  month: number
  day: string
  seconds: number
  clock: Clock
}

/** From one year to another, clocks are this many seconds ahead of standard time from this time of the year on. */
interface Rule {
  from: number
  to: number
  begin: TimeOfYear
  save: number
}

/** One stage of a zone's history: its standard offset, by how much or by which rules clocks are ahead, and its end. */
interface Stage {
  standard: number
  save: number
  rules: Rule[]
  until?: TimeOfYear & { year: number }
}

/** Every year on the first `weekday` (Sunday is 0) from this day on: the offset changes so many seconds after midnight UTC. */
interface YearlyChange {
  month: number
  day: number
  weekday: number
  seconds: number
  offset: number
}

/** Seconds since 1970, and the offset in seconds east of Greenwich from then on. */
interface Change {
  at: number
  offset: number
}

export interface Zone {
  /** The offset before the first change. */
  first: number
  changes: Change[]
  /** What follows the last change without end: nothing, or two changes a year. */
  yearly: YearlyChange[]
}

interface Source {
  version: string
  zones: Map<string, Zone>
  /** Other names of a zone, by name. */
  links: Map<string, string>
}

const MONTHS = ['Ja', 'F', 'Mar', 'Ap', 'May', 'Jun', 'Jul', 'Au', 'S', 'O', 'N', 'D']
const WEEKDAYS = ['Su', 'M', 'Tu', 'W', 'Th', 'F', 'Sa']
const DAY = 86_400
const NO_END = Number.POSITIVE_INFINITY

export function readSource(text: string): Source {
  const version = /^# version (\S+)$/m.exec(text)?.[1]
  if (!version || !/^# ddeps backzone zone\.tab$/m.test(text)) {
    throw new Error('not tzdata.zi with PACKRATDATA=backzone PACKRATLIST=zone.tab')
  }
  const rules = new Map<string, Rule[]>()
  const stages = new Map<string, string[][]>()
  const links = new Map<string, string>()
  let open: string[][] = []
  for (const line of text.split('\n').filter((row) => row !== '' && !row.startsWith('#'))) {
    const [kind = '', ...fields] = line.split(' ')
    if (kind === 'R') {
      const [name = ''] = fields
      rules.set(name, [...(rules.get(name) ?? []), readRule(fields)])
    } else if (kind === 'L') {
      links.set(fields[1]!, fields[0]!)
    } else if (kind === 'Z') {
      open = [fields.slice(1)]
      stages.set(fields[0]!, open)
    } else {
      open.push([kind, ...fields])
    }
  }
  const zones = [...stages].map(
    ([name, rows]) => [name, compile(rows.map((row) => readStage(row, rules)))] as const,
  )
  return { version, zones: new Map(zones), links }
}

function readRule([, from, to, , month, day, time, save]: string[]): Rule {
  const first = Number(from)
  const last = to === 'o' ? first : to === 'ma' ? NO_END : Number(to)
  return { from: first, to: last, begin: readTimeOfYear(month, day, time), save: secondsOf(save!) }
}

/** Offset, rules or seconds ahead, abbreviation, then year, month, day and time of the end. */
function readStage([offset, ahead, , year, ...time]: string[], rules: Map<string, Rule[]>): Stage {
  const named = rules.get(ahead!)
  return {
    standard: secondsOf(offset!),
    save: named ? 0 : secondsOf(ahead!),
    rules: named ?? [],
    ...(year && { until: { year: Number(year), ...readTimeOfYear(...time) } }),
  }
}

function readTimeOfYear(month = 'Ja', day = '1', time = '0'): TimeOfYear {
  const clocks: Record<string, Clock> = { s: 'standard', u: 'utc' }
  const clock = clocks[time.at(-1)!]
  if (!MONTHS.includes(month)) throw new Error(`unknown month: ${month}`)
  return {
    month: MONTHS.indexOf(month) + 1,
    day,
    seconds: secondsOf(clock ? time.slice(0, -1) : time),
    clock: clock ?? 'wall',
  }
}

/** `[-]h[:mm[:ss]]`; a dash alone is nothing. */
function secondsOf(text: string): number {
  const match = /^(-?)(\d+)(?::(\d+))?(?::(\d+))?$/.exec(text === '-' ? '0' : text)
  if (!match) throw new Error(`unknown time: ${text}`)
  const size = Number(match[2]) * 3600 + Number(match[3] ?? 0) * 60 + Number(match[4] ?? 0)
  return match[1] ? -size : size
}

/** `lastSu`, `Su>=8` and `Su<=30` as the first such weekday from a day of the month on; undefined for a plain day. */
function weekdayFrom(text: string, daysInMonth: number): { weekday: number; day: number } | undefined {
  if (/^\d+$/.test(text)) return undefined
  const match = /^(?:last([A-Z][a-z]?)|([A-Z][a-z]?)([<>])=(\d+))$/.exec(text)
  const weekday = WEEKDAYS.indexOf(match?.[1] ?? match?.[2] ?? '')
  if (!match || weekday < 0) throw new Error(`unknown day: ${text}`)
  const limit = Number(match[4] ?? daysInMonth)
  return { weekday, day: match[3] === '>' ? limit : limit - 6 }
}

/** What the clock shows then, as if it were UTC. */
function clockTime({ month, day, seconds }: TimeOfYear, year: number): number {
  const range = weekdayFrom(day, new Date(Date.UTC(year, month, 0)).getUTCDate())
  const midnight = new Date(Date.UTC(year, month - 1, range?.day ?? Number(day)))
  const wait = range ? (range.weekday - midnight.getUTCDay() + 7) % 7 : 0
  return midnight.getTime() / 1000 + wait * DAY + seconds
}

/** By how much the clock in which a time is given is ahead of UTC. */
const aheadOfUtc = (clock: Clock, standard: number, save: number) =>
  clock === 'utc' ? 0 : clock === 'standard' ? standard : standard + save

function compile(stages: Stage[]): Zone {
  const changes: Change[] = []
  let start = Number.NEGATIVE_INFINITY
  for (const { standard, save: fixed, rules, until } of stages) {
    let save = fixed
    // Rules that began before the stage decide how it begins.
    let atStart = save
    const end = () =>
      until ? clockTime(until, until.year) - aheadOfUtc(until.clock, standard, save) : NO_END
    const within: Change[] = []
    for (const { shown, rule } of occurrences(rules, until?.year ?? lastYearOf(rules, start))) {
      const at = shown - aheadOfUtc(rule.begin.clock, standard, save)
      if (at >= end()) break
      save = rule.save
      if (at <= start) atStart = save
      else within.push({ at, offset: standard + save })
    }
    changes.push({ at: start, offset: standard + atStart }, ...within)
    start = end()
  }
  const [{ offset: first }, ...later] = changes as [Change, ...Change[]]
  return { first, changes: offsetChanges(first, later), yearly: yearlyChanges(stages.at(-1)!) }
}

/** Without those that change nothing. Of two changes that clocks show at the same time or in reverse order, as when a stage
 *  begins with summer time, the second is what happened, at the instant of the first. */
function offsetChanges(first: number, changes: Change[]): Change[] {
  const merged: Change[] = []
  for (const change of changes) {
    const last = merged.at(-1)
    const before = merged.at(-2)?.offset ?? first
    if (last && change.at + last.offset <= last.at + before) last.offset = change.offset
    else merged.push({ ...change })
  }
  return merged.filter(({ offset }, index) => offset !== (merged[index - 1]?.offset ?? first))
}

/** When rules take effect up to the end of a year, as their clocks show it, in order. */
function occurrences(rules: Rule[], last: number): { shown: number; rule: Rule }[] {
  return rules
    .flatMap((rule) => {
      const count = Math.max(0, Math.min(rule.to, last) - rule.from + 1)
      return Array.from({ length: count }, (_, index) => ({
        shown: clockTime(rule.begin, rule.from + index),
        rule,
      }))
    })
    .sort((a, b) => a.shown - b.shown)
}

/** A year in which only the endless rules apply. */
function lastYearOf(rules: Rule[], start: number): number {
  const years = rules.flatMap(({ from, to }) => (to === NO_END ? [from] : [from, to]))
  const first = start === Number.NEGATIVE_INFINITY ? 1970 : new Date(start * 1000).getUTCFullYear()
  return Math.max(first, ...years) + 1
}

function yearlyChanges({ standard, rules }: Stage): YearlyChange[] {
  const endless = rules.filter(({ to }) => to === NO_END)
  if (endless.length === 0) return []
  if (endless.length !== 2) throw new Error('neither no nor two rules without end')
  return endless.map(({ begin, save }, index) => {
    const { month, day, seconds, clock } = begin
    // A month whose last day is not the same every year has no such rule.
    const range = month === 2 ? undefined : weekdayFrom(day, new Date(Date.UTC(1970, month, 0)).getUTCDate())
    if (!range) throw new Error(`not a weekday of a month: ${day}`)
    const before = endless[1 - index]!.save
    return {
      month,
      ...range,
      seconds: seconds - aheadOfUtc(clock, standard, before),
      offset: standard + save,
    }
  })
}
