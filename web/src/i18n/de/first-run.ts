import type { firstRun as en } from '../en/first-run.ts'
import type { Translation } from '../messages.ts'

export const firstRun: Translation<typeof en> = {
  'imports.title': 'Import',
  'imports.howTo': 'Wie komme ich an meine Datei?',
  'imports.howToHint': 'Wähle, wo deine Flüge jetzt sind.',
  'imports.howToBack': 'Alle Quellen',
  'imports.howToNone':
    'Contrail liest jede Tabelle, die ein Datum, einen Abflug- und einen Zielflughafen hat.',
  'imports.sourceCurrent': 'Aktuell',
  'imports.drop': 'Loslassen zum Lesen',
  'imports.dropHint': 'Export, Kalender, Tabelle oder Track',
  'imports.choose': 'Datei wählen',
  'imports.uploading': '{file} wird gesendet …',
  'imports.pasted': 'Eingefügter Text',
  'imports.oneFile': 'Nur eine Datei auf einmal. Die erste wird gelesen.',
  'imports.emptyFile': 'Diese Datei ist leer.',
  'imports.needsServer': 'Zum Importieren ist der Server nötig, der gerade nicht erreichbar ist.',
  'imports.first.title': 'Alle deine Flüge auf einem Globus',
  'imports.first.text': 'Dein Logbuch ist leer. Fang mit dem an, was du zur Hand hast.',
  'imports.first.drop': 'Datei irgendwo hier ablegen',
  'imports.first.dropHint': 'Export, Kalender, Tabelle oder Track',
  'imports.first.import': 'Datei importieren',
  'imports.first.tables': 'Excel und CSV',
  'nav.scan': 'Bordkarte scannen',
  'imports.first.scanHint': 'Mit der Kamera, oder aus einem Foto oder PDF',
  'imports.first.line': 'Eine Zeile tippen',
  'imports.first.lineHint': 'Etwa',
  'imports.first.lineDay': '20. Feb',
  'imports.first.demo': 'Erst einmal umsehen',
  'imports.first.demoHint': 'Ein Beispiel-Logbuch; ein Klick entfernt es',
  'imports.first.demoShow': 'Beispiel zeigen',
}
