import type { insights as en } from '../en/insights.ts'
import type { Translation } from '../messages.ts'

export const insights: Translation<typeof en> = {
  'explain.how.distance':
    'Der kürzeste Weg über die Erde zwischen den beiden Flughäfen jedes Flugs, zusammengezählt. Umwege sind nicht enthalten.',
  'explain.how.flights': 'Jeder abgeschlossene Flug, auf den die Filter zutreffen, einmal gezählt.',
  'explain.how.time':
    'Die eingetragene Dauer jedes Flugs, sonst die Zeit zwischen Abflug und Ankunft. Fehlt beides, wird sie aus Entfernung und Flugzeug geschätzt.',
  'explain.how.airports':
    'Verschiedene Flughäfen, an denen ein Flug startete oder landete. In der Liste zählt jeder Abflug und jede Ankunft.',
  'explain.how.countries':
    'Verschiedene Länder, in denen ein Flug startete oder landete. In der Liste zählt ein Flug einmal für jedes seiner Länder.',
  'explain.how.routes': 'Verschiedene Paare von Flughäfen. Hin und zurück ist eine Strecke.',
  'explain.how.airlines': 'Verschiedene Airlines dieser Flüge.',
  'explain.how.aircraft': 'Verschiedene Flugzeugtypen dieser Flüge.',
  'explain.how.average': 'Die gesamte Entfernung, geteilt durch die Zahl der Flüge.',
  'explain.division': '{distance} ÷ {count} = {average}',
  'explain.basis': {
    one: 'Berechnet aus {count} abgeschlossenen Flug',
    other: 'Berechnet aus {count} abgeschlossenen Flügen',
  },
  'explain.estimated': {
    one: '{duration} davon ({share}) sind geschätzt: {count} Flug hat keine eigenen Zeiten',
    other: '{duration} davon ({share}) sind geschätzt: {count} Flüge haben keine eigenen Zeiten',
  },
  'explain.allTimed': 'Nichts ist geschätzt: Jeder Flug hat eigene Zeiten',
  'explain.withoutDistance': {
    one: 'Bei {count} Flug ist die Entfernung unbekannt, er zählt als 0',
    other: 'Bei {count} Flügen ist die Entfernung unbekannt, sie zählen als 0',
  },
  'explain.upcoming': {
    one: 'Nicht enthalten: {count} bevorstehender Flug',
    other: 'Nicht enthalten: {count} bevorstehende Flüge',
  },
  'explain.cancelled': {
    one: 'Nicht enthalten: {count} annullierter Flug',
    other: 'Nicht enthalten: {count} annullierte Flüge',
  },
  'explain.behind': 'Die meisten Flüge zuerst',
  'explain.groups': 'Aufgeschlüsselt',
  'explain.groupBy': 'Gruppieren nach',
  'explain.by.airline': 'Airline',
  'explain.by.year': 'Jahr',
  'explain.by.month': 'Monat',
  'explain.by.airport': 'Flughafen',
  'explain.by.country': 'Land',
  'explain.by.route': 'Strecke',
  'explain.by.aircraft': 'Flugzeugtyp',
  'explain.by.registration': 'Kennzeichen',
  'explain.by.class': 'Klasse',
  'explain.by.reason': 'Grund',
  'explain.by.person': 'Mitreisende',
  'explain.unknown': 'Nicht eingetragen',
  'explain.allFlights': 'Diese Flüge in der Liste anzeigen',
  'compare.title': 'Zwei Personen vergleichen',
  'compare.first': 'Erste Person',
  'compare.second': 'Zweite Person',
  'compare.and': 'und',
  'compare.me': '{name} (du)',
  'compare.guest': '{name} (Gast)',
  'compare.none': 'Niemand zum Vergleichen',
  'compare.noneHint':
    'Trage bei deinen Flügen ein, wer mitgeflogen ist, und vergleiche dann, was ihr gesehen habt.',
  'compare.failed': 'Der Vergleich ist nicht möglich',
  'compare.together': 'Gemeinsame Flüge',
  'compare.neverTogether': 'Noch kein gemeinsamer Flug.',
  'compare.met': 'Zum ersten Mal zusammen in der Luft',
  'compare.moreCountries': {
    one: '{name} hat {count} Land mehr gesehen',
    other: '{name} hat {count} Länder mehr gesehen',
  },
  'compare.sameCountries': 'Beide haben gleich viele Länder gesehen',
  'compare.span': '{first} bis {last}',
  'compare.only': 'Nur {name}',
  'compare.both': 'Gemeinsam: {count}',
  'compare.nothing': 'Keine',
  'compare.andMore': { one: 'und {count} weitere', other: 'und {count} weitere' },
  'compare.showAll': 'Alle anzeigen',
  'compare.guestOnly': '{name} ist ein Gast ohne eigenes Logbuch: Nur eure gemeinsamen Flüge sind bekannt.',
  'compare.togetherOnly':
    'Nur eure gemeinsamen Flüge werden gezeigt. Die anderen Flüge von {name} sind privat.',
}
