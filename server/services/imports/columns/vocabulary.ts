// The words of headings by their meaning, in English, German, French, Spanish, Italian, Portuguese, Dutch, Danish, Swedish and
// Norwegian, with the short forms of crew systems and pilot logbooks. Folded by `foldWords`.

import type { ColumnField } from '../../../domain/imports/imports.ts'
import { wordsOf } from '../../../domain/text/fold.ts'

/** If a word is listed twice, the first meaning wins. Words that mean something different on their own are in `phrases`. */
const words = {
  /** The ends of the flight. */
  dep: 'departure departures departing departs dep dept dpt depart departed from origin orig origine origen origem von ab abflug abflugs abflugort startort start provenance partenza partida salida desde vertrek van vanaf afgang afg avgang avg avresa afrejse fra fran adep outbound decollage procedencia partenze salidas provenienza',
  arr: 'arrival arrivals arriving arrives arr arrive arrived to dest destination destinazione destino nach an ankunft ankunftsort ziel zielort arrivee llegada hasta arrivo chegada para aankomst aank naar bestemming ankomst ank til till ades inbound vers atterrissage llegadas arrivi',
  /** Takeoff and landing, not the gates. */
  off: 'takeoff airborne liftoff despegue decollo decolagem',
  on: 'landing touchdown landung aterrizaje atterraggio aterrissagem landning',
  block: 'block blocks blk chocks',
  scheduled:
    'scheduled schedule sched planned geplant geplante planmassig planmassige soll prevu prevue programado programada prevista previsto programmato gepland geplande planlagt planlagte planerad programmata programmate programadas programados previsti previste schedulato',
  actual:
    'actual act real tatsachlich tatsachliche reel reelle effettivo effettiva efectiva efetiva werkelijk werkelijke faktisk verklig reale effettivi efectivo',
  utc: 'utc zulu gmt',
  local: 'local lokal lokale lt locale lokaltid lokaal ortszeit',
  duration:
    'duration dauer duree duracion durata duracao duur varighed varaktighet varighet flugzeit flyvetid flygtid flytid vliegtijd elapsed hrs',
  time: 'time times zeit uhrzeit heure horaire hora horario ora orario tijd tijdstip tid tidspunkt klokken kl klockan klokkeslett orari',
  date: 'date dates datum dato fecha data day tag jour dia giorno dag',
  airport:
    'airport apt aerodrome flughafen aeroport aeropuerto aeroporto luchthaven vliegveld lufthavn flygplats flyplass place station',
  code: 'code codes kode kod codigo codice iata icao oaci',
  city: 'city town stadt ort ville ciudad citta cidade stad plaats location municipality localidad localita',
  country: 'country land pais pays paese state region continent kontinent',
  terminal: 'terminal term terminale',
  gate: 'gate gates flugsteig porte puerta porta cancello',
  airline:
    'airline airlines carrier fluggesellschaft compagnie compania companhia compagnia aerolinea luchtvaartmaatschappij maatschappij flyselskab flygbolag flyselskap operator aerolineas operador operatore vettore',
  operating:
    'operating operated ausfuhrend ausfuhrende durchgefuhrt opere operada operado operato uitgevoerd',
  reg: 'registration reg tail ident kennzeichen kennung immatriculation matricule matricula immatricolazione marche registratie registrering immatricolazioni',
  aircraft:
    'aircraft plane airplane aeroplane acft equipment flugzeug maschine avion appareil aeronef aeronave aereo aeromobile velivolo aviao vliegtuig toestel flygplan flymaskin flyvemaskine aviones velivoli',
  flight: 'flight flights flt flug vol vuelo volo voo vlucht fly flyvning flyg flygning flyging vuelos voli',
  number: 'number num no nr nummer numero nbr n',
  type: 'type typ tipo kind model modell modele modelo modello variant',
  seat: 'seat seats sitz sitzplatz platz siege asiento sedile posto assento lugar stoel zitplaats saede plads stolsplats sete asientos sedili',
  side: 'position side seite lage cote placering',
  class: 'class cabin klasse kabine classe cabine clase cabina klass kabin clases',
  reason:
    'reason purpose grund zweck anlass motif raison motivo razon proposito reden formal arsag anledning syfte occasion',
  note: 'note notes comment comments remark remarks notiz notizen bemerkung bemerkungen kommentar kommentare anmerkung anmerkungen remarque remarques commentaire commentaires nota notas comentario comentarios observaciones observacoes osservazioni commento commenti opmerking opmerkingen notitie notities bemaerkning bemaerkninger anteckning anteckningar kommentarer merknad merknader notat notater memo observacion osservazione',
  booking:
    'booking pnr reservation locator confirmation buchung reservierung reserva reservering prenotazione bokning boeking bestilling localizador localizzatore reservas prenotazioni',
  reference: 'reference ref referenz referencia riferimento referentie referanse referens',
  currency: 'currency wahrung devise moneda valuta moeda divisa',
  price:
    'price cost fare amount preis kosten prix tarif precio coste costo prezzo preco custo tarifa prijs pris kostnad precios costi importe importo',
  passenger:
    'passenger passengers pax traveller traveler travellers travelers passagier passagiere reisender reisende passager passagers voyageur voyageurs pasajero pasajeros viajero passeggero passeggeri viaggiatore passageiro passageiros reiziger reizigers rejsende passagerer resenar passagerare passasjer passasjerer viaggiatori',
  companion:
    'companion companions with mit mitreisende mitreisender begleitung accompagnateurs acompanantes accompagnatori acompanhantes reisgenoten medrejsende medresenar reisefolge acompanante compagni accompagnatore',
  status:
    'status stato statut estado outcome cancelled canceled storniert annulliert annule anulado cancelado cancellato annullato geannuleerd aflyst installd kansellert esito cancelada cancellata',
  diverted: 'diverted diversion umgeleitet desviado desviada dirottato dirottata deviato deviata',
  route:
    'route strecke routing itineraire trajet ruta trayecto rotta tratta rota trajeto traject strekning rute rutt stracka sector leg',
  minutes: 'min mins minute minutes minuten minutos minuti minutter minuter',
  hours: 'hour hours hr std stunde stunden heures horas ore uren timer timmar',
  seconds: 'sec secs seconds sekunden',
  /** Known words for values that flights do not store. */
  distance:
    'distance distanz entfernung distancia distanza afstand avstand distans km mi nm miles meilen milles kilometer kilometres mileage',
  other:
    'id uuid guid lat lon lng latitude longitude created updated modified added erstellt geandert timestamp birth points avios speed altitude weight baggage gepack co2 emissions url link photo rating tags week month year weekday wochentag monat jahr sequence group boarding checkin delay night ifr vfr landings landungen dual instrument approaches solo fuel equipaje bagaglio creado creato modificado modificato velocidad velocita altitud altitudine peso emisiones emissioni semana settimana mese mes ano anno grupo gruppo',
  ticket: 'ticket eticket',
  /** Pilot logbooks and rosters: their times are often UTC. */
  pilot: 'pic sic picus copilot captain crew cockpit',
  /** Words without a meaning of their own. */
  filler:
    'of the de di du des del della do da d l la le el les los al au and et und og och en y e i der die das om het for in on by a per at total name nom nombre nome naam navn namn full travel trip reise reis rejse resa voyage viaje viagem viaggio anreise',
} as const

export type Concept = keyof typeof words

const concepts: ReadonlyMap<string, Concept> = new Map(
  (Object.entries(words) as [Concept, string][])
    .reverse()
    .flatMap(([concept, list]) => list.split(' ').map((word): [string, Concept] => [word, concept])),
)

/** Whole headings without blanks, where the words alone would mislead. */
const phrases: Partial<Record<ColumnField, string>> = {
  from: 'de da',
  to: 'a',
  aircraft:
    'fly flytype flytyp flygtyp type typ tipo model modell modele modelo modello icaomodel typecode aircrafttypename',
  number: 'number no nr nummer numero num',
  seatNumber: 'place plats numerodeplace seatno',
  aircraftReg:
    'aircraftid acid ident acident aircraftident acftid acftreg acreg tail tailno tailnumber displaytail regnr rego planeid',
  departureTime:
    'out outtime timeout offblock offblocks offblocktime blockoff blocksoff blockout gateout chocksoff doors atd obt aobt tout',
  arrivalTime:
    'in intime timein onblock onblocks onblocktime blockon blockson blockin gatein chockson ata ibt aibt tin',
  departureScheduled: 'std schdep stdutc stdlocal depsched sobt',
  arrivalScheduled: 'sta scharr stautc stalocal arrsched sibt',
  takeoffActual: 'off offtime timeoff wheelsoff atot toff flightstart',
  landingActual: 'on ontime timeon wheelson aldt ton flightend',
  duration:
    'flighttime totaltime totalflighttime airtime blocktime blockhours blkhrs blktime blocktimes tempsdevol tiempodevuelo tempodivolo tempodevoo hrs totalduration blockzeit tempovolo tiempovuelo',
  flightNumber:
    'flightno fltno fltnr flightcode designator callsign fltnum volno vuelono flugnr vluchtnr flynr flygnr',
  date: 'dof fltdate flightdate localdate depdate',
  route: 'od citypair fromto',
  bookingReference: 'recordlocator conf confno',
}

/** Headings that are not about the flight, although their words suggest it. */
const ignoredPhrases = new Set(
  'flightid bookingdate bookedon bookingclass ticketnumber ticketno eticket trip name code iata icao city country state position aircraftclass bookingtime dutytime nighttime'.split(
    ' ',
  ),
)

export const phraseOf: ReadonlyMap<string, ColumnField | null> = new Map([
  ...[...ignoredPhrases].map((phrase): [string, null] => [phrase, null]),
  ...(Object.entries(phrases) as [ColumnField, string][]).flatMap(([field, list]) =>
    list.split(' ').map((phrase): [string, ColumnField] => [phrase, field]),
  ),
])

/** Lower-case words without accents: `depTime`, `DEP_TIME` and `Dep. Time` are two words. */
export const foldWords = (heading: string): string[] =>
  wordsOf(heading.slice(0, 200).replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '))

/** The meanings of a word, one for each part of a compound; empty if it is unknown. */
export function conceptsOf(word: string): readonly Concept[] {
  const known = concepts.get(word) ?? inflected(word)
  return known ? [known] : (compound(word, 0) ?? [])
}

/** Ignores endings: `geplanter`, `airlines`, `planlagte`. */
function inflected(word: string): Concept | undefined {
  for (const ending of ['er', 'es', 'en', 'em', 'e', 's', 't']) {
    const stem = word.slice(0, -ending.length)
    if (stem.length > 4 && word.endsWith(ending) && concepts.has(stem)) return concepts.get(stem)
  }
  return undefined
}

const LONGEST_COMPOUND = 40
const SHORTEST_PART = 3
/** Between the parts of German, Dutch and Nordic compounds: Ankunft-s-zeit. */
const joints = ['', 's', 'es', 'n', 'en', 'e']

function compound(word: string, from: number): Concept[] | undefined {
  if (from === word.length) return []
  if (word.length > LONGEST_COMPOUND) return undefined
  for (let end = word.length; end - from >= SHORTEST_PART; end--) {
    const concept = concepts.get(word.slice(from, end))
    if (concept === undefined) continue
    for (const joint of joints) {
      if (!word.startsWith(joint, end)) continue
      const rest = compound(word, end + joint.length)
      if (rest && (joint === '' || rest.length > 0)) return [concept, ...rest]
    }
  }
  return undefined
}
