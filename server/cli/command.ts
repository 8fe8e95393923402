// Declares a command once: words, arguments and options. Parsing, help texts and the types of the options are derived
// from the declaration.
import type { Readable, Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import type * as z from 'zod'
import type { Config } from '../base/config.ts'
import type { Logger } from '../base/log.ts'
import { check, problemOf } from '../base/request/validation.ts'
import { messageOf } from '../domain/reasons.ts'
import type { Store } from '../store/store.ts'

/** The streams that a command reads and writes: the process's own, or those of a test. */
export interface Terminal {
  env: NodeJS.ProcessEnv
  stdin: Readable
  stdout: Writable
  stderr: Writable
  exitCode?: NodeJS.Process['exitCode']
}

/** Invalid arguments: reported on one line, without a stack trace. */
export class UsageError extends Error {}

interface Option {
  /** Placeholder of the value; a flag has none. */
  value: string | null
  isRequired: boolean
  description: string
}
type Options = Readonly<Record<string, Option>>

export const required = (value: string, description: string) =>
  ({ value, isRequired: true, description }) as const
export const optional = (value: string, description: string) =>
  ({ value, isRequired: false, description }) as const
export const flag = (description: string) => ({ value: null, isRequired: false, description }) as const

type Given<Declared extends Options> = {
  [Name in keyof Declared]: Declared[Name]['value'] extends null
    ? boolean
    : Declared[Name]['isRequired'] extends true
      ? string
      : string | undefined
}

interface Context<Declared extends Options> {
  store: Store
  config: Config
  log: Logger
  args: readonly string[]
  options: Given<Declared>
  now: Date
  terminal: Terminal
  /** Prints a line. */
  say(line: string): void
}

interface Described<Declared extends Options> {
  words: string
  /** Placeholders of the arguments after the words; one that ends with … may be repeated. */
  arguments?: readonly string[]
  options: Declared
  description: string
}
/** Needs neither valid settings nor a database. */
interface LoneCommand<Declared extends Options> extends Described<Declared> {
  alone(options: Given<Declared>, terminal: Terminal): Promise<void>
}
interface StoreCommand<Declared extends Options> extends Described<Declared> {
  /** How the store is opened; by default migrated, with roles and reference data. */
  opens?: 'up to date, unseeded' | 'as it is'
  /** Writes to the log, which other commands do not. */
  logs?: true
  run(context: Context<Declared>): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: the table of commands holds options of every shape
export type Command = LoneCommand<any> | StoreCommand<any>

export const command = <const Declared extends Options>(
  declaration: LoneCommand<Declared> | StoreCommand<Declared>,
): Command => declaration

/** Parses the arguments after the command's words; `help` if --help is one of them. */
export function readArguments(
  { words, arguments: places = [], options }: Command,
  typed: readonly string[],
): { args: string[]; options: Given<Options> } | 'help' {
  const declared = { ...options, help: flag('') } as Options
  const types = Object.fromEntries(
    Object.entries(declared).map(([name, { value }]) => [
      name,
      { type: value === null ? ('boolean' as const) : ('string' as const) },
    ]),
  )
  requireKnownOptions(words, Object.keys(options), typed, types)
  const { values, positionals } = parseStrictly(typed, types)
  if (values['help']) return 'help'
  if (positionals.length > places.length && !places.at(-1)?.endsWith('…')) {
    throw new UsageError(
      `unexpected argument ${positionals[places.length]}; ${words} takes ${places.join(' ') || 'none'}`,
    )
  }
  const given = Object.entries(options as Options).map(([name, { value, isRequired }]) => {
    if (isRequired && !values[name]) throw new UsageError(`--${name} is missing`)
    return [name, value === null ? values[name] === true : values[name]]
  })
  return { args: positionals, options: Object.fromEntries(given) }
}

type Types = Record<string, { type: 'boolean' | 'string' }>

function requireKnownOptions(words: string, names: string[], typed: readonly string[], types: Types): void {
  const { tokens } = parseArgs({ args: [...typed], options: types, strict: false, tokens: true })
  for (const token of tokens) {
    if (token.kind !== 'option' || Object.hasOwn(types, token.name)) continue
    const known = names.map((name) => `--${name}`).join(', ')
    throw new UsageError(
      `${words} has no option ${token.rawName}; ${known ? `its options are ${known}` : 'it has none'}`,
    )
  }
}

function parseStrictly(typed: readonly string[], types: Types) {
  try {
    return parseArgs({ args: [...typed], options: types, allowPositionals: true })
  } catch (error) {
    throw new UsageError((error as Error).message.split('\n')[0])
  }
}

/** Whether this command begins with the given words. */
export const beginsWith = ({ words }: Command, typed: readonly string[]): boolean =>
  `${words} `.startsWith(`${typed.join(' ')} `)

const optionUsage = ([name, { value, isRequired }]: [string, Option]): string => {
  const text = value === null ? `--${name}` : `--${name} ${value}`
  return isRequired ? text : `[${text}]`
}

export const usageOf = ({ words, arguments: places = [], options }: Command): string =>
  [words, ...places, ...Object.entries(options as Options).map(optionUsage)].join(' ')

export function helpOf(command: Command): string {
  const options = Object.entries(command.options as Options).map(([name, { value, description }]) => ({
    left: value === null ? `--${name}` : `--${name} ${value}`,
    right: description,
  }))
  const width = Math.max(0, ...options.map(({ left }) => left.length))
  return [
    `usage: contrail ${usageOf(command)}`,
    `  ${command.description}`,
    ...options.map(({ left, right }) => `  ${left.padEnd(width)}  ${right}`),
  ].join('\n')
}

export const sayOn =
  ({ stdout }: Terminal) =>
  (line: string): void =>
    void stdout.write(`${line}\n`)

export function parse<Output>(schema: z.ZodType<Output>, value: unknown, name: string): Output {
  const checked = check(schema, value)
  if ('data' in checked) return checked.data
  throw new UsageError(`${name}: ${messageOf(problemOf(checked.issues[0]!))}`)
}
