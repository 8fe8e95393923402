// Records which responses of which operations the suites have tested. A status or media type that the OpenAPI document does
// not list is a failure. After both gears every operation must have succeeded, refused bad input and returned 404 (also for
// rows of other people), on both engines. Missing credentials, scopes and permissions are covered by access.test.ts.
import assert from 'node:assert/strict'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import type { Operation } from '../server/door/operation.ts'
import { mediaTypesOf, statusesOf } from '../server/http/openapi.ts'
import { operations } from '../server/operations/index.ts'

const noteFile = (scratch: string) => join(scratch, 'answers.txt')

const rootsOf = ({ door = 'v1' }: Operation) =>
  ({ v1: '/(?:app/api|api/v1)', app: '/app/api', page: '' })[door]

/** More specific paths first, as the router prefers them. */
const routes = operations
  .map((op) => ({
    op,
    parameters: op.path.split('{').length,
    pattern: new RegExp(`^${rootsOf(op)}${op.path.replaceAll(/\{\w+\}/g, '[^/?]+')}/?(?:\\?|$)`),
  }))
  .sort((a, b) => a.parameters - b.parameters)

export interface AnswerNotes {
  note(method: string, path: string, reply: { status: number; headers: IncomingHttpHeaders }): void
  save(): void
}

export function createAnswerNotes(engine: string, scratch: string): AnswerNotes {
  const seen = new Set<string>()
  return {
    note(method, path, { status, headers }) {
      const here = routes.filter(({ pattern }) => pattern.test(path))
      const route = here.find(({ op }) => op.method === method && op.path === here[0]!.op.path)
      if (!route) return
      assert.ok(
        statusesOf(route.op).has(status),
        `${method} ${path} answers ${status}, which is not documented`,
      )
      requireDeclaredMediaType(route.op, status, headers['content-type'])
      seen.add(`${engine} ${route.op.id} ${status}`)
    },
    save() {
      appendFileSync(noteFile(scratch), [...seen].map((line) => `${line}\n`).join(''))
    },
  }
}

function requireDeclaredMediaType(op: Operation, status: number, type: string | undefined): void {
  // Pages are not in the document.
  if (op.door === 'page') return
  const declared = mediaTypesOf(op, status)
  const found = type?.split(';')[0]
  assert.ok(
    found === undefined ? declared.length === 0 : declared.includes(found),
    `${op.id} answers ${status} as ${found}, which is not documented`,
  )
}

/** The recorded responses of a run. */
export const answersOf = (scratch: string): string =>
  existsSync(noteFile(scratch)) ? readFileSync(noteFile(scratch), 'utf8') : ''

/** Responses that no suite has tested, one per line. */
export function missingAnswers(engine: string, answers: string): string[] {
  const seen = new Set(answers.split('\n'))
  return operations.flatMap((op) =>
    Object.entries(expectedAnswers(op))
      .filter(([, statuses]) => !statuses.some((status) => seen.has(`${engine} ${op.id} ${status}`)))
      .map(([what, statuses]) => `${engine}: ${op.id} never ${what} (${statuses.join(' or ')})`),
  )
}

function expectedAnswers(op: Operation): Record<string, number[]> {
  return {
    worked: [op.status ?? 200],
    ...(op.body ? { 'refused a bad body': [400, 422] } : {}),
    ...(op.query ? { 'refused a bad query': [400] } : {}),
    ...(op.params ? { 'missed a row': [404] } : {}),
  }
}
