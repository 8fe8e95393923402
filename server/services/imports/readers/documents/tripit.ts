// TripIt: the JSON of its web app, the XML of its API, and its calendar feed (section 5.10 of the import rules).
import { walkMarkup } from '../../content/markup.ts'
import { reads, type Source } from '../../reading/source.ts'
import { calendarRecords, isTripItCalendar } from '../calendars/tripit-calendar.ts'
import { isTripIt, planRecords } from './tripit-plans.ts'

/** TripIt's elements are not nested deeper. */
const DEPTH_AT_MOST = 12

type Tree = Record<string, unknown>

/** Elements by name, as in TripIt's JSON: repeated ones become a list, those without children a string. */
function treeOf(xml: string): Tree {
  const root: Tree = Object.create(null)
  const open: { name: string; tree: Tree; text: string; isLeaf: boolean }[] = []
  let depth = 0
  walkMarkup(xml, 'xml', {
    open(name) {
      depth += 1
      if (depth <= DEPTH_AT_MOST) open.push({ name, tree: Object.create(null), text: '', isLeaf: true })
    },
    text(data) {
      const current = open.at(-1)
      if (current && depth === open.length) current.text += data
    },
    close() {
      depth -= 1
      if (depth >= open.length) return
      const closed = open.pop()!
      const parent = open.at(-1)
      if (parent) parent.isLeaf = false
      add(parent?.tree ?? root, closed.name, closed.isLeaf ? closed.text.trim() : closed.tree)
    },
  })
  return root
}

function add(tree: Tree, name: string, value: unknown): void {
  const before = tree[name]
  if (before === undefined) tree[name] = value
  else if (Array.isArray(before)) before.push(value)
  else tree[name] = [before, value]
}

export const tripit: Source = {
  id: 'tripit',
  name: 'TripIt',
  extensions: ['json', 'xml'],
  howTo: {
    en: 'TripIt has no download button for all trips. A program that exports your account saves them as JSON or XML; drop that file here, or a zip of many. Without one, use the calendar of a trip or your calendar feed.',
    de: 'TripIt hat keinen Knopf, der alle Reisen herunterlädt. Ein Programm, das dein Konto exportiert, speichert sie als JSON oder XML; lege diese Datei hier ab, oder ein Zip mit vielen. Ohne ein solches Programm nimm den Kalender einer Reise oder deinen Kalender-Feed.',
    fr: 'TripIt n’a pas de bouton pour télécharger tous les voyages. Un programme qui exporte votre compte les enregistre en JSON ou en XML ; déposez ce fichier ici, ou un zip de plusieurs. Sans un tel programme, utilisez le calendrier d’un voyage ou votre flux de calendrier.',
  },
  options: ['includeCancelled', 'includeOthers'],
  readers: [
    reads<'json'>({
      kind: 'json',
      matches: ({ value }) => isTripIt(value),
      records: ({ value }) => planRecords(value),
    }),
    reads<'xml'>({
      kind: 'xml',
      matches: ({ root, text }) => root === 'response' && /<(?:AirObject|Trip)\b/.test(text),
      records: ({ text }) => planRecords(treeOf(text)),
    }),
  ],
}

export const tripitIcs: Source = {
  id: 'tripit-ics',
  name: 'TripIt calendar',
  extensions: ['ics'],
  howTo: {
    en: 'In TripIt, open Settings, then Calendar Feed, turn on individual plans, and open the feed’s address in your browser to save tripit.ics. The feed has future trips and those of the last 90 days. For an older trip, open it and choose to export it to a calendar.',
    de: 'Öffne in TripIt die Einstellungen, dann Calendar Feed, schalte die einzelnen Pläne ein und öffne die Adresse des Feeds im Browser, um tripit.ics zu speichern. Der Feed enthält künftige Reisen und die der letzten 90 Tage. Für eine ältere Reise öffne sie und exportiere sie in einen Kalender.',
    fr: 'Dans TripIt, ouvrez les réglages, puis « Calendar Feed », activez les plans séparés, et ouvrez l’adresse du flux dans votre navigateur pour enregistrer tripit.ics. Le flux contient les voyages à venir et ceux des 90 derniers jours. Pour un voyage plus ancien, ouvrez-le et exportez-le vers un calendrier.',
  },
  options: ['includeCancelled'],
  readers: [
    reads<'calendar'>({
      kind: 'calendar',
      matches: ({ text }) => isTripItCalendar(text),
      records: ({ text }) => calendarRecords(text),
    }),
  ],
}
