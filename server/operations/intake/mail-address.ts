// The address to which a person forwards mails, and the sender addresses whose mails are committed automatically.
// process/mail-in.ts receives them.
import * as z from 'zod'
import { forbidden, notFound } from '../../base/errors.ts'
import { because } from '../../base/request/validation.ts'
import { hashSecret, randomText } from '../../base/secret/secrets.ts'
import { SENDERS_AT_MOST } from '../../domain/intake/intake.ts'
import { type Call, operation, person, takes } from '../../door/operation.ts'
import type { Services } from '../../door/services.ts'
import { sealPurposes, unsealOrNot } from '../../services/intake/reach.ts'
import {
  deleteMailAddress as deleteStoredAddress,
  findMailAddress,
  type MailAddress as StoredAddress,
  saveMailAddress,
  updateSenders,
} from '../../store/intake/mail-addresses.ts'
import { authorOf, recordBy } from '../access/authority.ts'
import { nothing, single, strictQuery } from '../wire/schemas.ts'

const tag = 'Imports'
const access = person(['flight.import.own'])
/** 100 random bits, and still short enough to type. */
const TOKEN_LENGTH = 20

const MailAddress = z
  .object({
    available: z.boolean().describe('This server receives mails.'),
    address: z
      .string()
      .nullable()
      .describe('null: there is none, or it cannot be read any more; then make another one.'),
    senders: z
      .array(z.string())
      .describe('Your own addresses: what they forward is committed if it is certain. All else waits.'),
    messages: z.int().describe('How many mails it has received.'),
    lastMailAt: z.string().nullable().meta({ format: 'date-time' }),
    createdAt: z.string().nullable().meta({ format: 'date-time' }),
  })
  .meta({ id: 'MailAddress' })

const SendersInput = z
  .strictObject({
    senders: z
      .array(
        z
          .string()
          .trim()
          .toLowerCase()
          .max(320)
          .regex(/^[^\s@<>]+@[^\s@<>]+$/, because('mail_sender_form')),
      )
      .max(SENDERS_AT_MOST)
      .transform((senders) => [...new Set(senders)]),
  })
  .meta({ id: 'MailSendersInput' })

/** Mailboxes and the command line identify a person by the token in this part of the address. */
const mailAddressOf = (token: string, domain: string): string => `import+${token}@${domain}`

export const getMailAddress = operation({
  id: 'get-mail-address',
  method: 'GET',
  path: '/mail-address',
  door: 'app',
  tag,
  summary: 'Read the address to which you forward mails',
  access,
  query: strictQuery({}),
  output: single(MailAddress),
  run: async ({ principal, db, services }) => ({
    data: show(services, await findMailAddress(db, { userId: principal.user.id })),
  }),
})

export const createMailAddress = operation({
  id: 'create-mail-address',
  method: 'POST',
  path: '/mail-address',
  door: 'app',
  tag,
  summary: 'Make your address for forwarded mails, or replace it',
  description: 'The address that it replaces stops working at once.',
  access,
  query: strictQuery({}),
  output: single(MailAddress),
  check: ({ services }) => requireOn(services),
  async run(call) {
    const { principal, db, now, services } = call
    const userId = principal.user.id
    const token = randomText(TOKEN_LENGTH)
    const saved = await saveMailAddress(db, {
      userId,
      token: services.secret.seal(sealPurposes.mailAddress(userId), token),
      hash: hashSecret(token),
      now: now.toISOString(),
    })
    await recordBy(authorOf(call), db, 'mail-address.created', {})
    return { data: show(services, saved) }
  },
})

export const updateMailAddress = operation({
  id: 'update-mail-address',
  method: 'PUT',
  path: '/mail-address',
  door: 'app',
  tag,
  summary: 'Say which addresses are yours',
  access,
  query: strictQuery({}),
  body: takes(SendersInput),
  output: single(MailAddress),
  errors: ['not_found'],
  async run({ principal, input, db, services }) {
    const saved = await updateSenders(db, principal.user.id, input.senders)
    if (!saved) throw notFound('Mail address')
    return { data: show(services, saved) }
  },
})

export const deleteMailAddress = operation({
  id: 'delete-mail-address',
  method: 'DELETE',
  path: '/mail-address',
  door: 'app',
  tag,
  summary: 'End your address for forwarded mails',
  access,
  query: strictQuery({}),
  output: nothing,
  status: 204,
  errors: ['not_found'],
  async run(call: Call) {
    const { principal, db } = call
    if (!(await deleteStoredAddress(db, { userId: principal.user.id }))) throw notFound('Mail address')
    await recordBy(authorOf(call), db, 'mail-address.removed', {})
  },
})

function requireOn({ config }: Pick<Services, 'config'>): void {
  if (!config.mailIn) throw forbidden('mail_in_off')
}

function show(
  { config, secret }: Pick<Services, 'config' | 'secret'>,
  stored: StoredAddress | undefined,
): z.input<typeof MailAddress> {
  const token = stored && unsealOrNot(secret, sealPurposes.mailAddress(stored.userId), stored.token)
  return {
    available: config.mailIn !== undefined,
    address: token && config.mailIn ? mailAddressOf(token, config.mailIn.domain) : null,
    senders: stored?.senders ?? [],
    messages: stored?.messages ?? 0,
    lastMailAt: stored?.lastMailAt ?? null,
    createdAt: stored?.createdAt ?? null,
  }
}
