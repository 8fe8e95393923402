// The form as people fill it in: times, dates and numbers are accepted in the formats people type, and nothing is saved while a
// field cannot be read.

import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import type { CustomField, FlightInput, Preferences } from '../../api/types.ts'
import { cleanup, render, screen, userEvent, waitFor } from '../../testing/components.ts'
import { airports, bodyOf } from '../../testing/flights.ts'
import {
  dated,
  draftOf,
  emptyDraft,
  FlightForm,
  filledIn,
  flights,
  server,
  stored,
  storedDraft,
  useServer,
} from '../../testing/form.ts'

const { setLocale, t } = await import('../../i18n/i18n.svelte.ts')
const { session, savePreferences } = await import('../../session/session.svelte.ts')
const { toasts, dismiss } = await import('../../lib/overlay/toast.svelte.ts')
const { default: FlightFormView } = await import('./FlightForm.svelte')

const { preferences } = session
after(() => prefer(preferences))
useServer()
before(() => setLocale('en'))
beforeEach(() => prefer(preferences))
const { languages } = navigator
const speak = (...tags: readonly string[]) =>
  Object.defineProperty(navigator, 'languages', { value: tags, configurable: true })
afterEach(() => {
  cleanup()
  speak(...languages)
  for (const { id } of toasts.list) dismiss(id)
})

/** The server of the form; it stores whatever is sent. */
async function prefer(change: Partial<Preferences>): Promise<void> {
  await savePreferences(change)
  server.saved.length = 0
}

const user = userEvent.setup()
// Found by its label: computing the roles of the whole form takes longer than the rest of the test.
const box = (name: string) =>
  screen.getByLabelText<HTMLInputElement>(name, { selector: ':not([type=radio])' })
const shownIn = (name: string) => box(name).value

/** Types, then moves to the next field. */
async function enter(name: string, text: string): Promise<void> {
  await user.clear(box(name))
  await user.type(box(name), `${text}{Tab}`)
}
const save = () => user.click(screen.getByText(t('form.save')))

async function openForm(fields: CustomField[] = []): Promise<void> {
  render(FlightFormView, { form: await filledIn(), fields, storedTrack: null })
}

async function saved(): Promise<FlightInput> {
  await waitFor(() => assert.equal(server.saved.length, 1))
  return server.saved[0]!.body
}

/** Nothing was saved; the field is marked as invalid, says why, has the focus and keeps its text. */
async function requireRefused(name: string, message: RegExp, text = shownIn(name)): Promise<void> {
  await screen.findByText(message)
  assert.equal(box(name).getAttribute('aria-invalid'), 'true', `${name} is marked`)
  await waitFor(() => assert.equal(document.activeElement, box(name)))
  assert.equal(shownIn(name), text)
  assert.deepEqual(server.saved, [])
}

test('In the USA 2/20/24 is a day, 1230 is 12:30 PM, and Ctrl+Enter saves the text of the field that has the focus', async () => {
  speak('en-US')
  await openForm()
  await enter('Date', '2/20/24')
  assert.equal(shownIn('Date'), 'Feb 20, 2024')
  await enter('Departure time', '1230')
  assert.equal(shownIn('Departure time'), '12:30 PM')
  await user.type(box('Arrival time'), '1:45 pm')
  await user.keyboard('{Control>}{Enter}{/Control}')
  const { departure, arrival } = await saved()
  assert.equal(departure, '2024-02-20T12:30:00+01:00')
  assert.equal(arrival, '2024-02-20T13:45:00-05:00')
})

test('A time that cannot be read says why, keeps its text and is not saved', async () => {
  speak('en-US')
  await openForm()
  await user.type(box('Departure time'), '12:{Enter}')
  await requireRefused('Departure time', /^Departure time is incomplete.*12:30 PM/, '12:')
  await save()
  await requireRefused('Departure time', /^Departure time is incomplete/, '12:')
  for (const [text, message] of [
    ['24:00', /^Departure time: enter midnight as 12:00 AM/],
    ['25:00', /^Departure time: hours must be 0 to 23/],
    ['1260', /^Departure time: minutes must be 00 to 59/],
    ['12:3', /^Departure time: enter minutes with two digits/],
    ['13 pm', /^Departure time: with AM or PM/],
    ['7:30+1', /^Departure time does not allow a day offset/],
    ['soon', /^Departure time must be a time/],
  ] as const) {
    await enter('Departure time', text)
    await screen.findByText(message)
    assert.equal(shownIn('Departure time'), text)
  }
})

test('A date that does not exist is not saved; a button that sets the date replaces the text', async () => {
  await openForm()
  await enter('Departure time', '12:30')
  await enter('Date', '31.2.24')
  await save()
  await requireRefused('Date', /^Date: this day does not exist/, '31.2.24')
  await user.click(screen.getByRole('button', { name: 'Yesterday' }))
  await save()
  assert.match((await saved()).departure ?? '', /T12:30:00/)
})

test('The arrival takes a day offset, and a day without a year is close to the departure', async () => {
  await openForm()
  await enter('Date', '20.2.24')
  assert.equal(shownIn('Date'), '20 Feb 2024')
  screen.getByText('Tuesday')
  await enter('Departure time', '0:30 pm')
  assert.equal(shownIn('Departure time'), '12:30')
  await enter('Arrival time', '0750+1')
  assert.deepEqual([shownIn('Arrival time'), shownIn('Arrival date')], ['07:50', '21 Feb 2024'])
  await enter('Arrival date', '22 feb')
  assert.equal(shownIn('Arrival date'), '22 Feb 2024')
  await save()
  assert.equal((await saved()).arrival, '2024-02-22T07:50:00-05:00')
})

test('An arrival that was typed last gets its day before it is saved', async () => {
  await openForm()
  await enter('Date', '2024-02-20')
  await enter('Departure time', '2355')
  await user.type(box('Arrival time'), '0105')
  await user.keyboard('{Control>}{Enter}{/Control}')
  assert.equal((await saved()).arrival, '2024-02-21T01:05:00-05:00')
})

test('An arrival without its day is not saved', async () => {
  await openForm()
  await enter('Departure time', '1230')
  await enter('Arrival time', '1345')
  await enter('Arrival date', '')
  await save()
  await requireRefused('Arrival date', /^Enter a date\.$/, '')
})

test('A month or a year is a date, but not with a time', async () => {
  await prefer({ dateFormat: 'iso', timeFormat: '12h' })
  await openForm()
  await enter('Date', '20 feb 2024')
  assert.equal(shownIn('Date'), '2024-02-20')
  await enter('Departure time', '19:05')
  assert.equal(shownIn('Departure time'), '7:05 PM')
  await enter('Date', 'Feb 2024')
  await screen.findByText(/^Date: the day is missing/)
  await enter('Departure time', '')
  await enter('Date', 'Feb 2020')
  assert.equal(screen.getByLabelText<HTMLInputElement>('Month', { selector: '[type=radio]' }).checked, true)
  assert.equal(shownIn('Month'), '2020-02')
  await user.click(screen.getByRole('radio', { name: 'Year' }))
  await enter('Year', '98')
  assert.equal(shownIn('Year'), '1998')
  await save()
  const { date, datePrecision } = await saved()
  assert.deepEqual([date, datePrecision], ['1998-01-01', 'year'])
})

test('Text that is too long is refused, not cut', async () => {
  server.refuse(
    Response.json(
      {
        error: {
          code: 'validation_failed',
          reason: 'validation_failed',
          message: 'Invalid',
          details: [
            {
              path: ['note'],
              reason: 'too_long',
              params: { max: 10_000 },
              message: 'Use at most 10,000 characters.',
            },
          ],
        },
      },
      { status: 422 },
    ),
  )
  await openForm()
  const note = box('Note')
  note.value = 'x'.repeat(10_001)
  note.dispatchEvent(new Event('input', { bubbles: true }))
  await save()
  await screen.findByText('Use at most 10,000 characters.')
  assert.equal(shownIn('Note').length, 10_001)
})

const custom = (id: number, key: string, label: string, fieldType: CustomField['fieldType']) =>
  ({
    id,
    key,
    label,
    fieldType,
    entityType: 'flight',
    active: true,
    required: false,
  }) as unknown as CustomField

test('Numbers and dates of fields that people define are read as they are written', async () => {
  await openForm([custom(1, 'miles', 'Miles', 'number'), custom(2, 'booked', 'Booked on', 'date')])
  await enter('Miles', 'many')
  await enter('Booked on', '1.2.')
  await save()
  await requireRefused('Miles', /^Miles must be a number/, 'many')
  await enter('Miles', '1,250')
  await screen.findByText(/^Miles: enter the number without thousands separators/)
  await enter('Miles', '1250,5')
  assert.equal(shownIn('Miles'), '1250.5')
  await save()
  const { customFields } = await saved()
  assert.equal(customFields?.['miles'], 1250.5)
  assert.match(String(customFields?.['booked']), /^\d{4}-02-01$/)
})

test('In German, dates, times and what is wrong with them are German', async () => {
  await setLocale('de')
  try {
    await openForm()
    await enter('Datum', '20. März 2024')
    assert.equal(shownIn('Datum'), '20. März 2024')
    await enter('Abflugzeit', '12.30 Uhr')
    assert.equal(shownIn('Abflugzeit'), '12:30')
    await enter('Ankunftszeit', '13.')
    await save()
    await requireRefused('Ankunftszeit', /^Ankunftszeit ist unvollständig/, '13.')
    await enter('Ankunftszeit', '13.45')
    await save()
    assert.equal((await saved()).arrival, '2024-03-20T13:45:00-04:00')
  } finally {
    await setLocale('en')
  }
})

test('The calendar opens at the typed day, by button and arrow key; a picked day replaces the text', async (context) => {
  const opened: string[] = []
  const own = HTMLInputElement.prototype
  const before = Object.getOwnPropertyDescriptor(own, 'showPicker')
  const showPicker = function (this: HTMLInputElement) {
    opened.push(this.value)
  }
  Object.defineProperty(own, 'showPicker', { value: showPicker, configurable: true })
  context.after(() => {
    if (before) Object.defineProperty(own, 'showPicker', before)
    else Reflect.deleteProperty(own, 'showPicker')
  })
  await openForm()
  await enter('Date', '20 feb 2024')
  const button = screen.getByRole('button', { name: 'Open the calendar for Date' })
  await user.click(button)
  assert.deepEqual(opened, ['2024-02-20'])
  assert.equal(shownIn('Date'), '20 Feb 2024', 'a closed calendar changes nothing')

  await user.clear(box('Date'))
  await user.type(box('Date'), '21 feb 2024{ArrowDown}')
  assert.deepEqual(opened, ['2024-02-20', '2024-02-21'])
  const calendar = button.parentElement!.querySelector<HTMLInputElement>('input[type=date]')!
  assert.equal(calendar.tabIndex, -1)
  calendar.value = '2024-03-01'
  calendar.dispatchEvent(new Event('change', { bubbles: true }))
  await waitFor(() => assert.equal(shownIn('Date'), '1 Mar 2024'))

  await user.clear(box('Date'))
  await user.type(box('Date'), 'never')
  await user.tab()
  await user.click(button)
  assert.equal(shownIn('Date'), 'never', 'text that is not a date stays')
  calendar.value = '2024-03-02'
  calendar.dispatchEvent(new Event('change', { bubbles: true }))
  await waitFor(() => assert.equal(shownIn('Date'), '2 Mar 2024'))
})

test('Opening and saving a flight changes nothing, whatever it has', async () => {
  for (const flight of flights.slice(0, 12)) {
    const form = new FlightForm(flight.id, await draftOf(flight), null, flight.version)
    render(FlightFormView, { form, fields: [], storedTrack: null })
    await save()
    assert.deepEqual(stored(await saved()), stored(bodyOf(flight)))
    server.saved.length = 0
    cleanup()
  }
})

test('Another day keeps the seconds of the times', async () => {
  const flight = {
    ...dated[0]!,
    date: '2024-02-20',
    departure: '2024-02-20T12:30:45+01:00',
    from: airports[0]!,
  }
  const form = new FlightForm(flight.id, await draftOf(flight), null, flight.version)
  render(FlightFormView, { form, fields: [], storedTrack: null })
  await enter('Date', '21 feb')
  await save()
  const { date, departure } = await saved()
  assert.deepEqual([date, departure], ['2024-02-21', '2024-02-21T12:30:45+01:00'])
})

test('Text that could not be read is there again after a reload, until the form is started over', async () => {
  await openForm()
  await user.type(box('Departure time'), '12:3')
  window.dispatchEvent(new Event('pagehide'))
  cleanup()
  const form = new FlightForm(null, emptyDraft(null, '2026-05-01'), storedDraft(null))
  render(FlightFormView, { form, fields: [], storedTrack: null })
  screen.getByText('Your unsaved changes were restored.')
  assert.equal(shownIn('Departure time'), '12:3')
  await save()
  await requireRefused('Departure time', /^Departure time: enter minutes with two digits/, '12:3')
  await user.click(screen.getByRole('button', { name: 'Start over' }))
  assert.equal(shownIn('Departure time'), '')
})
