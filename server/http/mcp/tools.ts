// Operations as tools for AI assistants: how they are described and how a call passes the door. Independent of the
// protocol's transport.
import type { Principal } from '../../auth/principal.ts'
import { AppError, detail, type ErrorDetail } from '../../base/errors.ts'
import { check, toDetail } from '../../base/validation.ts'
import { grantableScopes, type Scope, scopeDescription } from '../../domain/access.ts'
import { type Condition, versionCondition } from '../../domain/conditions.ts'
import { type Problem, problem } from '../../domain/reasons.ts'
import { nearestName } from '../../domain/spelling.ts'
import {
  isConditionalWrite,
  type Operation,
  open,
  type RawInput,
  requireAccess,
  type Services,
} from '../../operation.ts'
import { operations } from '../../operations/index.ts'
import { presented, type ToolResult } from './results.ts'
import {
  confirmationWord,
  DETAIL,
  describeTool,
  detailLevels,
  INCLUDE_BOOKING,
  type Tool,
  takesDetail,
  toolName,
  usualDetail,
  Versioned,
} from './tool-schemas.ts'

type Json = Record<string, unknown>

interface Entry {
  op: Operation
  tool: Tool
}

/** The order in which tools are listed: a host may show or read only the first. All others follow as they are registered. */
const order = [
  'find_flights',
  'log_flight',
  'log_flights',
  'edit_flight',
  'delete_flight',
  'summarize_flights',
  'get_flight',
  'undo',
  'list_changes',
  'restore_flight',
  'list_deleted_flights',
  'compare_people',
  'list_people',
  'get_stats',
  'list_journeys',
  'check_log',
  'read_boarding_pass',
  'flight_lookup',
  'preview_import',
  'answer_import',
  'commit_import',
  'undo_import',
  'list_imports',
  'search_airports',
  'search_airlines',
  'search_aircraft',
  'list_custom_fields',
  'create_custom_field',
  'list_visited_countries',
  'set_visited_country',
  'remove_visited_country',
  'list_shares',
  'create_share',
  'update_share',
  'delete_share',
  'get_me',
  'get_preferences',
  'update_preferences',
]

const placeOf = (op: Operation): number => {
  const place = order.indexOf(toolName(op))
  return place === -1 ? order.length : place
}

const tools: ReadonlyMap<string, Entry> = new Map(
  operations
    .filter((op) => op.tool)
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map((op) => {
      const describedBy = operations.find((other) => other.tool && toolName(other) === op.tool!.describedBy)
      return [toolName(op), { op, tool: describeTool(op, describedBy) }]
    }),
)

export { withoutBookings } from './results.ts'
export { toolName } from './tool-schemas.ts'

export const findTool = (name: string): Operation | undefined => tools.get(name)?.op

/** The tools that this credential and this role can use, always in the same order; `all` with those for programs. */
export const listTools = (principal: Principal, all = false): Tool[] =>
  [...tools.values()]
    .filter(({ op }) => (all || !op.tool!.isForPrograms) && mayCall(op, principal))
    .map(({ tool }) => tool)

export function mayCall(op: Operation, principal: Principal): boolean {
  try {
    requireAccess(op, principal)
    return true
  } catch {
    return false
  }
}

/**
 * Calls an operation with flat arguments. Throws what the door throws, and what `takeRoom` throws when the result is too
 * large; the caller decides how it is reported.
 */
export async function callTool(
  op: Operation,
  services: Services,
  principal: Principal,
  sent: Json,
  takeRoom: (bytes: number) => void,
): Promise<ToolResult> {
  requireAccess(op, principal)
  if (!op.tool!.refusesUnknown) requireKnownArguments(op, sent)
  const { [INCLUDE_BOOKING]: includeBooking, ...given } = withOwnNames(op, sent)
  requireFlag(includeBooking)
  const isFull = wantsFull(op, given)
  if (takesDetail(op)) delete given[DETAIL]
  const raw = spread(op, { ...given, ...op.tool!.always })
  try {
    const opened = await open(op, services, principal, raw)
    const output = await opened.value()
    const { structured, text } = presented({
      op,
      output,
      confirmation: op.status === 204 ? confirmation(op, raw) : undefined,
      viewer: {
        userId: logOf(opened.call.input, principal),
        now: services.clock.now(),
        showsBookings: includeBooking === true,
      },
      isFull,
      changeId: opened.call.outcome.changeId,
    })
    return toolResult(structured, text, takeRoom)
  } catch (error) {
    throw withToolNames(withPaths(error, op, raw), op)
  }
}

/** Whose log is read. */
const logOf = ({ scope, userId }: Json, { user }: Principal): string =>
  scope === 'user' && typeof userId === 'string' ? userId : user.id

const confirmation = (op: Operation, raw: RawInput): Json => ({
  ...(op.params?.parse(raw.params) as Json | undefined),
  [confirmationWord(op)]: true,
  ...(op.tool?.note ? { note: op.tool.note } : {}),
})

function toolResult(structured: Json, text: string, takeRoom: (bytes: number) => void): ToolResult {
  takeRoom(Buffer.byteLength(JSON.stringify(structured)) + Buffer.byteLength(JSON.stringify(text)))
  return { content: [{ type: 'text', text }], structuredContent: structured }
}

// Errors

const ERROR_CHARACTERS_AT_MOST = 20_000

/**
 * Where a tool's error has its code, reason and parameters for programs. They are not its structured content, which clients
 * check against the tool's output schema even in an error.
 */
const ERROR_KEY = 'contrail/error'

/** An error as text that a model can act on, cut if it lists very many problems. */
export function toolError(error: AppError, principal: Principal): ToolResult {
  // The headline names the first flight that another resembles.
  const { details: all = [] } = error
  const problems = all[0]?.reason === 'duplicate_of' ? all.slice(1) : all
  const lines = problems.map(({ path, message }) =>
    path.length ? `- ${path.join('.')}: ${message}` : `- ${message}`,
  )
  const text = [...headline(error, principal), ...lines].join('\n').slice(0, ERROR_CHARACTERS_AT_MOST)
  return { content: [{ type: 'text', text }], isError: true, _meta: { [ERROR_KEY]: error.body.error } }
}

/** That something is wrong is not said where it is said what, and nothing is said twice. */
function headline(error: AppError, principal: Principal): string[] {
  const { problem: whole, details = [] } = error
  const isSaid =
    whole.reason === 'validation_failed' ||
    whole.reason === 'invalid_arguments' ||
    details.some(({ message }) => message === error.message)
  return isSaid && details.length > 0 ? [] : [wordsFor(error, principal)]
}

/** What the credential may not do, and how to get more: a model cannot know where scopes are given. */
export function wordsFor(error: AppError, principal: Principal): string {
  const { code, problem, message } = error
  if (code !== 'insufficient_scope' || problem.reason !== 'insufficient_scope') return message
  const scope = problem.params.scope as Scope
  const what = scopeDescription(scope)
  const missing = `lacks the scope ${scope} (“${what}”)`
  if (!grantableScopes(principal.permissions).includes(scope))
    return `This credential ${missing}, and the person’s role does not permit it: an administrator would have to.`
  return principal.kind === 'oauth'
    ? `This app ${missing}. To allow it, connect the app again and approve this permission.`
    : `This key ${missing}. A key with more scopes can be made in Settings, API keys.`
}

// Arguments

const UNKNOWN_SHOWN = 20

/** Ignoring a misspelt argument silently would lose what the user said. */
function requireKnownArguments(op: Operation, given: Json): void {
  const known = Object.keys(tools.get(toolName(op))!.tool.inputSchema['properties'] as Json)
  const accepted = new Set([...known, ...Object.keys(op.tool!.names ?? {})])
  const unknown = Object.keys(given).filter((name) => !accepted.has(name))
  if (unknown.length === 0) return
  const named = unknown.slice(0, UNKNOWN_SHOWN).map((name) => {
    const near = nearestName(name, known)
    return near === undefined ? name : `${name} (did you mean ${near}?)`
  })
  throw new AppError('bad_request', problem('unknown_argument', { named, known }))
}

/** The operation's own names for what assistants call otherwise; both are accepted, the assistants' one wins. */
function withOwnNames({ tool }: Operation, sent: Json): Json {
  const own = { ...sent }
  for (const [name, shown] of Object.entries(tool!.names ?? {})) {
    if (!(shown in sent)) continue
    delete own[shown]
    own[name] = sent[shown]
  }
  return own
}

function requireFlag(value: unknown): void {
  if (value === undefined || value === null || typeof value === 'boolean') return
  throw invalidArgument(detail([INCLUDE_BOOKING], 'not_a_boolean', 'invalid_type'))
}

function wantsFull(op: Operation, given: Json): boolean {
  if (!takesDetail(op)) return false
  const wanted = given[DETAIL] ?? usualDetail(op)
  if (detailLevels.some((known) => known === wanted)) return wanted === 'full'
  throw invalidArgument(
    detail([DETAIL], problem('not_an_option', { options: detailLevels }), 'invalid_value'),
  )
}

const invalidArgument = (...problems: ErrorDetail[]) =>
  new AppError('bad_request', 'invalid_arguments', { details: problems })

/** Puts flat arguments where the operation expects them; parameters of an address are text. */
function spread(op: Operation, given: Json): RawInput {
  const address = (shape: Record<string, unknown> | undefined) =>
    Object.fromEntries(
      Object.keys(shape ?? {}).flatMap((name) => {
        const value = given[name]
        return value === undefined || value === null ? [] : [[name, asText(value)]]
      }),
    )
  const conditional = isConditionalWrite(op)
  const inAddress = [op.params?.shape, op.query?.shape, conditional && Versioned.shape]
  const taken = new Set(inAddress.flatMap((shape) => Object.keys(shape || {})))
  return {
    params: address(op.params?.shape),
    query: address(op.query?.shape),
    body: Object.fromEntries(Object.entries(given).filter(([name]) => !taken.has(name))),
    condition: conditional ? conditionOf(given['id'], given['ifVersion']) : undefined,
  }
}

function conditionOf(flightId: unknown, ifVersion: unknown): Condition | undefined {
  const checked = check(Versioned, { ifVersion: ifVersion ?? undefined })
  if ('issues' in checked) {
    throw invalidArgument(...checked.issues.map(toDetail))
  }
  const version = checked.data.ifVersion
  return version === undefined ? undefined : versionCondition(Number(flightId), version)
}

const asText = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : value

/** REST reports only the first problem of an address; a model needs to know which argument is meant. */
function withPaths(error: unknown, op: Operation, raw: RawInput): unknown {
  if (!(error instanceof AppError) || error.code !== 'bad_request' || error.details) return error
  const found = [op.params && check(op.params, raw.params), op.query && check(op.query, raw.query)]
  const details = found.flatMap((checked) =>
    checked && 'issues' in checked ? checked.issues.map(toDetail) : [],
  )
  return details.length ? invalidArgument(...details) : error
}

/** An error in the assistants' words: arguments by the names that the tool has for them. */
function withToolNames(error: unknown, { tool }: Operation): unknown {
  const names = tool!.names
  if (!names || !(error instanceof AppError) || !namesAny(error, names)) return error
  const { code, details, scopes, headers } = error
  return new AppError(code, renamedProblem(error.problem, names), {
    ...(details ? { details: details.map((given) => renamedDetail(given, names)) } : {}),
    scopes,
    headers,
  })
}

type Names = Readonly<Record<string, string>>

const namesAny = ({ problem: { params }, details }: AppError, names: Names): boolean =>
  [params, ...(details ?? []).map((given) => given.params)].some((given) => hasName(given, names)) ||
  (details ?? []).some(({ path: [first] }) => first !== undefined && Object.hasOwn(names, first))

/** Reasons name a member as `field` or `parameter`. */
const naming = ['field', 'parameter'] as const

const hasName = (params: unknown, names: Names): boolean =>
  naming.some((key) => Object.hasOwn(names, String((params as Json | undefined)?.[key])))

function renamedProblem(given: Problem, names: Names): Problem {
  const params = given.params as Json | undefined
  if (!hasName(params, names)) return given
  const entries = Object.entries(params!).map(([key, value]) => [
    key,
    naming.some((name) => name === key) ? (names[String(value)] ?? value) : value,
  ])
  return { ...given, params: Object.fromEntries(entries) } as Problem
}

function renamedDetail({ code, path: [first, ...rest], reason, params }: ErrorDetail, names: Names) {
  const path = first === undefined ? [] : [names[first] ?? first, ...rest]
  return detail(path, renamedProblem({ reason, params } as unknown as Problem, names), code)
}
