// The API reference of the documentation site: one static page per tag, written from the object of which docs/openapi.yaml is
// the text. The anchor of an operation is its id.
import { openApiDocument } from '../server/http/openapi.ts'
import { Html, html } from '../server/pages/html.ts'
import { createFields, inline, nameOf, requiredMark, type Schema, table } from './api-fields.ts'
import type { RenderedPage } from './docs-page.ts'

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  example?: unknown
  schema: Schema
}

interface Content {
  schema?: Schema
  example?: unknown
}

interface Response {
  $ref?: string
  description: string
  headers?: Record<string, { description: string }>
  content?: Record<string, Content>
}

interface Operation {
  operationId: string
  tags: [string]
  summary: string
  description?: string
  security: { bearerAuth?: string[] }[]
  'x-conditional-scopes'?: string[]
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Record<string, Content> }
  responses: Record<string, Response>
}

interface Document {
  info: { description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> }
}

/** A request that the server takes, or one that it sends to a webhook. */
interface Call {
  method: string
  path: string
  operation: Operation
  isSent: boolean
}

const document = openApiDocument({ door: 'v1' }) as unknown as Document
const shared = document.components.responses
const { resolved, typeOf, meaning, fieldTable } = createFields(document.components.schemas)
const FOLDER = 'api/'

const slugOf = (tag: string) => tag.toLowerCase().replaceAll(' ', '-')

const calls: Call[] = [
  ...Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: `/api/v1${path === '/' ? '' : path}`,
      operation,
      isSent: false,
    })),
  ),
  ...Object.entries(document.webhooks).map(([event, { post }]) => ({
    method: 'POST',
    path: event,
    operation: post,
    isSent: true,
  })),
]

export function apiPages(): RenderedPage[] {
  const pages = document.tags.map(({ name, description }) => ({
    path: `${FOLDER}${slugOf(name)}`,
    title: name,
    body: tagPage(name, description).text,
  }))
  return [{ path: FOLDER, title: 'API reference', body: indexPage().text }, ...pages]
}

const callsOf = (tag: string) => calls.filter(({ operation }) => operation.tags[0] === tag)

const indexPage = (): Html => html`<h1>API reference</h1>
<p>${inline(document.info.description)} How to begin is in <a href="../programs">Writing a program</a>; the
machine-readable form is <a href="../openapi.yaml">openapi.yaml</a>, OpenAPI 3.1.</p>
${document.tags.map(
  ({ name, description }) => html`<h2 id="${slugOf(name)}">${name}</h2>
<p>${inline(description)}</p>
${contents(callsOf(name), slugOf(name))}`,
)}`

const tagPage = (tag: string, description: string): Html => html`<h1>${tag}</h1>
<p>${inline(description)}</p>
${contents(callsOf(tag), '')}
${callsOf(tag).map(section)}`

const contents = (listed: readonly Call[], page: string): Html =>
  table(
    ['Request', 'What it does'],
    listed.map(({ method, path, operation }) => [
      address(method, path),
      html`<a href="${page}#${operation.operationId}">${operation.summary}</a>`,
    ]),
    'contents',
  )

const address = (method: string, path: string): Html =>
  html`<span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code>`

function section(call: Call): Html {
  const { method, path, operation, isSent } = call
  const { operationId, summary, description, parameters = [], requestBody } = operation
  return html`<h2 id="${operationId}">${summary}</h2>
<p class="address">${address(method, path)}</p>
${isSent && html`<p>Contrail sends this request to your webhook’s address.</p>`}
${description && html`<p>${inline(description)}</p>`}
${!isSent && scopesOf(operation)}
${parameters.length > 0 && html`<h3>Parameters</h3>${parameterTable(parameters)}`}
${requestBody && html`<h3>Body</h3>${bodies(requestBody)}`}
<h3>${isSent ? 'Your response' : 'Response'}</h3>
${responsesOf(operation)
  .filter(({ status }) => isSent || Number(status) < 400)
  .map(response)}
${!isSent && html`<h3>Example</h3>${code(curl(call))}<h3>Errors</h3>${errorTable(operation)}`}`
}

function scopesOf({ security, ...operation }: Operation): Html {
  const always = security[0]?.bearerAuth
  if (!always) return html`<p>Needs no credential.</p>`
  const sometimes = operation['x-conditional-scopes'] ?? []
  const listed = (names: readonly string[]) =>
    new Html(names.map((name) => html`<code>${name}</code>`.text).join(', '))
  return html`<p>${always.length > 0 ? html`Scopes: ${listed(always)}.` : 'Any valid credential.'}
${sometimes.length > 0 && html`Only for some flights or fields: ${listed(sometimes)}.`}</p>`
}

const parameterTable = (parameters: readonly Parameter[]): Html =>
  table(
    ['Name', 'Type', 'Meaning'],
    parameters.map((parameter) => [
      html`<code>${parameter.name}</code> ${parameter.required ? requiredMark : html`<small>${parameter.in}</small>`}`,
      html`${typeOf(parameter.schema)}`,
      meaning({ ...parameter.schema, ...pick(parameter) }),
    ]),
  )

const pick = ({ description }: Parameter) => (description === undefined ? {} : { description })

const bodies = ({ required, content }: { required: boolean; content: Record<string, Content> }): Html => {
  const types = Object.keys(content)
  const [{ schema = {} } = {}] = Object.values(content)
  return html`<p>${required ? '' : 'Optional. '}${new Html(types.map((type) => html`<code>${type}</code>`.text).join(', '))}</p>
${fieldTable(schema)}`
}

const responsesOf = ({ responses }: Operation) =>
  Object.entries(responses).map(([status, given]) => ({
    status,
    ...(given.$ref ? shared[nameOf(given.$ref)]! : given),
  }))

function response({ status, description, headers = {}, content = {} }: Response & { status: string }): Html {
  const names = Object.entries(headers)
  return html`<p><strong>${status}</strong> ${inline(description)} ${Object.keys(content).map(
    (type) => html`<code>${type}</code> `,
  )}</p>
${names.length > 0 && html`<ul>${names.map(([name, header]) => html`<li><code>${name}</code>: ${inline(header.description)}</li>`)}</ul>`}
${folded(fieldTable(Object.values(content)[0]?.schema ?? {}))}`
}

/** Many requests return a whole flight. */
const folded = (fields: Html | false): Html | false =>
  fields && html`<details><summary>Fields of the response</summary>${fields}</details>`

const errorTable = (operation: Operation): Html =>
  table(
    ['Status', 'When', 'For example'],
    responsesOf(operation)
      .filter(({ status }) => Number(status) >= 400)
      .map(({ status, description, content }) => {
        const { error } = content!['application/json']!.example as {
          error: { code: string; reason: string; message: string }
        }
        return [
          html`${status}`,
          inline(description),
          html`<code>${error.code}</code>${error.reason !== error.code && html`, reason <code>${error.reason}</code>`}: ${error.message}`,
        ]
      }),
  )

// Examples

/** Values that a reader replaces are in capitals. */
function curl({ method, path, operation }: Call): string {
  const { parameters = [], requestBody, security } = operation
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const { example, schema } = parameters.find((one) => one.in === 'path' && one.name === name)!
    return encodeURIComponent(
      String(example ?? schema.example ?? (schema.type === 'integer' ? 1 : name.toUpperCase())),
    )
  })
  const query = parameters
    .filter((one) => one.in === 'query' && (one.required || one.example !== undefined))
    .map(
      ({ name, example, schema }) =>
        `${name}=${encodeURIComponent(String(example ?? schema.example ?? 'TEXT'))}`,
    )
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const lines = [
    `curl -s ${method === 'GET' ? '' : `-X ${method} `}"$CONTRAIL${filled}${query.length > 0 ? `?${query.join('&')}` : ''}"`,
    security.length > 0 && '-H "Authorization: Bearer $KEY"',
    type && `-H "Content-Type: ${type}"`,
    content && bodyExample(content),
  ]
  return lines.filter(Boolean).join(' \\\n  ')
}

function bodyExample({ schema, example }: Content): string {
  if (!schema) return '--data-binary @FILE'
  const body = example ?? resolved(schema).example
  return `-d '${body === undefined ? '{…}' : JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`
}

const code = (text: string): Html => html`<pre><code>${text}</code></pre>`
