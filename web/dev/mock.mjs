// Stand-in server until the real one is there: node web/dev/mock.mjs PORT COUNT
import { readFileSync, existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
const port = Number(process.argv[2] ?? 4170), count = Number(process.argv[3] ?? 3000)
const dist = join(import.meta.dirname, '../dist')
const A = `CPH EKCH Copenhagen 55.618 12.656 Europe/Copenhagen EU DK|ARN ESSA Stockholm 59.65 17.92 Europe/Stockholm EU SE|FRA EDDF Frankfurt_am_Main 50.03 8.57 Europe/Berlin EU DE|MUC EDDM Munich 48.35 11.79 Europe/Berlin EU DE|LHR EGLL London 51.47 -0.46 Europe/London EU GB|CDG LFPG Paris_(Roissy-en-France,_Val-d'Oise) 49.01 2.55 Europe/Paris EU FR|JFK KJFK New_York 40.64 -73.78 America/New_York NA US|SFO KSFO San_Francisco 37.62 -122.37 America/Los_Angeles NA US|LAX KLAX Los_Angeles 33.94 -118.41 America/Los_Angeles NA US|ORD KORD Chicago 41.98 -87.9 America/Chicago NA US|HND RJTT Tokyo 35.55 139.78 Asia/Tokyo AS JP|SIN WSSS Singapore 1.35 103.99 Asia/Singapore AS SG|SYD YSSY Sydney -33.95 151.18 Australia/Sydney OC AU|AKL NZAA Auckland -37.01 174.79 Pacific/Auckland OC NZ|HNL PHNL Honolulu 21.32 -157.92 Pacific/Honolulu NA US|DXB OMDB Dubai 25.25 55.36 Asia/Dubai AS AE|DEL VIDP New_Delhi 28.57 77.1 Asia/Kolkata AS IN|GRU SBGR São_Paulo -23.43 -46.47 America/Sao_Paulo SA BR|CPT FACT Cape_Town -33.96 18.6 Africa/Johannesburg AF ZA|NBO HKJK Nairobi -1.32 36.93 Africa/Nairobi AF KE|KEF BIKF Reykjavík 63.98 -22.61 Atlantic/Reykjavik EU IS|OSL ENGM Oslo 60.19 11.1 Europe/Oslo EU NO|TXL EDDT Berlin 52.56 13.29 Europe/Berlin EU DE|BER EDDB Berlin 52.36 13.5 Europe/Berlin EU DE|ZRH LSZH Zürich 47.46 8.55 Europe/Zurich EU CH|MAD LEMD Madrid 40.47 -3.56 Europe/Madrid EU ES|FCO LIRF Rome 41.8 12.24 Europe/Rome EU IT|IST LTFM Istanbul 41.26 28.74 Europe/Istanbul EU TR|BKK VTBS Bangkok 13.68 100.75 Asia/Bangkok AS TH|EZE SAEZ Buenos_Aires -34.82 -58.54 America/Argentina/Buenos_Aires SA AR`
const airports = A.split('|').map((l, i) => { const [iata, icao, city, lat, lon, tz, continent, country] = l.split(' '); const c = city.replaceAll('_', ' '); return { id: i + 1, icao, iata, name: `${c} Airport`, municipality: c, latitude: +lat, longitude: +lon, timezone: tz, type: iata === 'TXL' ? 'closed' : 'large_airport', continent, country, custom: false } })
const airlines = [['Scandinavian Airlines', 'SK', 'SAS'], ['Lufthansa', 'LH', 'DLH'], ['Air New Zealand', 'NZ', 'ANZ'], ['British Airways', 'BA', 'BAW'], ['Norwegian Air Shuttle AOP with a Very Long Legal Company Name', 'DY', 'NOZ'], ['United Airlines', 'UA', 'UAL']].map(([name, iata, icao], i) => ({ id: i + 1, name, iata, icao, iconPath: null }))
const aircraft = [['Airbus A320neo', 'A20N'], ['Airbus A321', 'A321'], ['Boeing 787-9', 'B789'], ['Boeing 777-300ER', 'B77W'], ['ATR 72-600', 'AT76'], ['Airbus A350-900', 'A359']].map(([name, icao], i) => ({ id: i + 1, name, icao }))
const users = [{ id: 'u1', username: 'ada', displayName: 'Ada Lovelace', roleId: null, roleName: null, isOwner: true, canManage: false }, { id: 'u2', username: 'bob', displayName: 'Bob with a rather long display name of sixty characters!!', roleId: 'role-user', roleName: 'User', isOwner: false, canManage: true }]
const perms = ['flight.read.own', 'flight.read.any', 'flight.create.own', 'flight.create.any', 'flight.update.own', 'flight.update.any', 'flight.delete.own', 'flight.delete.any', 'flight.passengers.manage.own', 'flight.share.own', 'users.directory.read']
const me = { id: 'u1', username: 'ada', displayName: 'Ada Lovelace', role: null, isOwner: true, permissions: perms }
let preferences = { distanceUnit: 'km', windSpeedUnit: 'kt', temperatureUnit: 'c', pressureUnit: 'hpa', timeFormat: 'auto', dateFormat: 'auto', weekStartsOn: 'auto', flightTimeDisplay: 'airport' }
const offset = (tz, ms) => { const p = Object.fromEntries(new Intl.DateTimeFormat('en-US', { timeZone: tz, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' }).formatToParts(ms).map((x) => [x.type, x.value])); return Math.round((Date.UTC(p.year, p.month - 1, p.day, p.hour, p.minute, p.second) - ms) / 60000) }
const iso = (ms, off) => { const s = off < 0 ? '-' : '+', a = Math.abs(off); return new Date(ms + off * 60000).toISOString().slice(0, 19) + s + String(Math.floor(a / 60)).padStart(2, '0') + ':' + String(a % 60).padStart(2, '0') }
const rad = Math.PI / 180
const km = (a, b) => { const h = Math.sin((b.latitude - a.latitude) * rad / 2) ** 2 + Math.cos(a.latitude * rad) * Math.cos(b.latitude * rad) * Math.sin((b.longitude - a.longitude) * rad / 2) ** 2; return Math.round(12742 * Math.asin(Math.sqrt(h))) }
let seed = 7; const rnd = () => (seed = (seed * 16807) % 2147483647) / 2147483647, pick = (l) => l[Math.floor(rnd() * l.length)]
let flights = [], next = 1
function add(from, to, ms, extra = {}) {
  const d = km(from, to), dur = Math.round((d / 805 + 0.5) * 60) * 60, o1 = offset(from.timezone, ms), arr = ms + dur * 1000, o2 = offset(to.timezone, arr)
  const timed = extra.timed ?? true
  flights.push({ id: next++, date: iso(ms, o1).slice(0, 10), datePrecision: extra.precision ?? 'day', departure: timed ? iso(ms, o1) : null, arrival: timed ? iso(arr, o2) : null, departureScheduled: timed && rnd() < .4 ? iso(ms - 600000, o1) : null, arrivalScheduled: null, takeoffScheduled: null, takeoffActual: null, landingScheduled: null, landingActual: null, duration: timed ? dur : null, departureTerminal: null, departureGate: rnd() < .2 ? 'B12' : null, arrivalTerminal: null, arrivalGate: null, flightNumber: null, aircraftReg: null, note: null, from, to, airline: null, aircraft: null, track: null, customFields: {}, distanceKm: d, createdAt: new Date().toISOString(), updatedAt: new Date().toISOString(), passengers: [{ id: next * 10, user: { id: 'u1', displayName: me.displayName, username: 'ada' }, guestName: null, seat: pick(['window', 'aisle', null]), seatNumber: '12A', seatClass: pick(['economy', 'business', null]), flightReason: pick(['leisure', 'business', null]) }], ...extra.fields })
}
let t = Date.now() + 40 * 864e5
function generate(n) { let here = airports[0]; const start = Date.now() - 30 * 365 * 864e5, step = (t - start) / n; let ms = start
  while (flights.length < n) { const to = pick(airports); if (to.id === here.id) continue; const al = rnd() < .85 ? pick(airlines) : null; const timed = rnd() < .85
    add(here, to, Math.round(ms / 300000) * 300000, { timed, precision: !timed && rnd() < .3 ? 'month' : 'day', fields: { airline: al, flightNumber: al ? al.iata + Math.floor(100 + rnd() * 3000) : null, aircraft: rnd() < .8 ? pick(aircraft) : null, aircraftReg: rnd() < .5 ? 'OY-K' + 'ABCDEFGH'[Math.floor(rnd() * 8)] + 'X' : null } })
    const d = flights.at(-1); ms = rnd() < .35 && d.arrival ? Date.parse(d.arrival) + (1 + rnd() * 5) * 36e5 : ms + step * (0.7 + rnd() * 1.6); here = to } }
generate(count)
const local = (d, tz) => d ? d.slice(0, 16) : null
function compact(f) { const o1 = f.departure ? offset(f.from.timezone, Date.parse(f.departure)) : null, o2 = f.arrival ? offset(f.to.timezone, Date.parse(f.arrival)) : null
  const dl = f.departure ? iso(Date.parse(f.departure), o1).slice(0, 16) : null, al = f.arrival ? iso(Date.parse(f.arrival), o2).slice(0, 16) : null
  return { id: f.id, date: f.date, datePrecision: f.datePrecision, from: f.from?.id ?? null, to: f.to?.id ?? null, airline: f.airline?.id ?? null, aircraft: f.aircraft?.id ?? null, flightNumber: f.flightNumber, aircraftReg: f.aircraftReg, departure: f.departure, arrival: f.arrival, departureLocal: dl, arrivalLocal: al, departureOffset: o1, arrivalOffset: o2, dayShift: dl && al ? (Date.parse(al.slice(0, 10)) - Date.parse(dl.slice(0, 10))) / 864e5 : null, duration: f.duration ?? Math.round((f.distanceKm / 805 + .5) * 3600), durationEstimated: f.duration === null, distanceKm: f.distanceKm, completed: Date.parse(f.departure ?? f.date) < Date.now(), note: !!f.note, track: !!f.track, passengers: f.passengers.map((p) => ({ user: p.user?.id ?? null, guest: p.guestName, seat: p.seat, seatNumber: p.seatNumber, seatClass: p.seatClass, reason: p.flightReason })) } }
let expired = false
const tracks = new Map()
function build(id, b) { const from = airports.find((a) => a.id === b.fromId), to = airports.find((a) => a.id === b.toId)
  if (b.track !== undefined) b.track ? tracks.set(id, b.track) : tracks.delete(id)
  const tr = tracks.get(id)
  const dur = b.duration ?? (b.departure && b.arrival ? (Date.parse(b.arrival) - Date.parse(b.departure)) / 1000 : null)
  return { ...b, id, duration: dur, from, to, airline: airlines.find((a) => a.id === b.airlineId) ?? null, aircraft: aircraft.find((a) => a.id === b.aircraftId) ?? null, distanceKm: km(from, to), track: tr ? { pointCount: tr.coordinates.length, updatedAt: new Date().toISOString(), sourceFormat: tr.sourceFormat, sourceName: tr.sourceName } : null, passengers: b.passengers.map((p, i) => ({ id: p.id ?? id * 10 + i, user: users.find((u) => u.id === p.userId) ?? null, guestName: p.guestName, seat: p.seat, seatNumber: p.seatNumber, seatClass: p.seatClass, flightReason: p.flightReason })), createdAt: new Date().toISOString(), updatedAt: new Date().toISOString() } }
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.woff2': 'font/woff2', '.json': 'application/json', '.webmanifest': 'application/manifest+json', '.png': 'image/png' }
const custom = [{ id: 1, entityType: 'flight', key: 'pnr', label: 'Booking code', description: 'Six letters', fieldType: 'text', required: false, order: 1, defaultValue: null, options: null }, { id: 2, entityType: 'flight', key: 'mood', label: 'Mood', description: null, fieldType: 'select', required: false, order: 2, defaultValue: null, options: ['good', 'bad'] }]
createServer(async (q, r) => {
  const u = new URL(q.url, 'http://x'), p = u.pathname
  let body = ''; for await (const c of q) body += c
  const json = (s, d, h = {}) => { r.writeHead(s, { 'content-type': 'application/json', ...h }); r.end(d === undefined ? '' : JSON.stringify(d)) }
  if (p.startsWith('/app/api')) {
    const m = q.method + ' ' + p.slice(8); let x
    if (m === 'GET /mock-expire') { expired = true; return json(200, {}) }
    if (m === 'GET /session') return json(200, { data: { user: me, setupRequired: false, setupTokenRequired: false, instance: { name: 'Contrail', version: '0.1.0' }, preferences } })
    if (m === 'POST /sign-in') { if (JSON.parse(body).password !== 'secret') return json(401, { error: { code: 'unauthorized', message: 'no' } }); expired = false; return json(200, { data: me }) }
    if (expired) return json(401, { error: { code: 'unauthorized', message: 'Session ended' } })
    if (m === 'GET /log') return json(200, { data: { flights: flights.map(compact), airports: Object.fromEntries(airports.map((a) => [a.id, a])), airlines: Object.fromEntries(airlines.map((a) => [a.id, a])), aircraft: Object.fromEntries(aircraft.map((a) => [a.id, a])), users: Object.fromEntries(users.map((a) => [a.id, a])) } }, { etag: `"${flights.length}-${Date.now()}"` })
    const find = (l) => { const s = u.searchParams.get('query').toLowerCase(); return l.filter((a) => [a.iata, a.icao, a.name, a.municipality].some((v) => v?.toLowerCase().includes(s))).slice(0, 20) }
    if (m === 'GET /airports') return json(200, { data: find(airports), page: { nextCursor: null } })
    if (m === 'GET /airlines') return json(200, { data: find(airlines), page: { nextCursor: null } })
    if (m === 'GET /aircraft') return json(200, { data: find(aircraft), page: { nextCursor: null } })
    if (m === 'GET /users') return json(200, { data: users })
    if (m === 'GET /custom-fields') return json(200, { data: custom })
    if (m === 'GET /local-times') { const a = airports.find((a) => a.id === +u.searchParams.get('airportId')), l = Date.parse(u.searchParams.get('local') + 'Z'); let o = offset(a.timezone, l); o = offset(a.timezone, l - o * 60000); return json(200, { data: { instant: iso(l - o * 60000, o), offsetMinutes: o, zone: a.timezone, shifted: false, ambiguous: false } }) }
    if (m === 'POST /demo') { generate(120); return json(201, { data: {} }) }
    if (m === 'PUT /preferences') { preferences = { ...preferences, ...JSON.parse(body) }; return json(200, { data: { updated: true } }) }
    if (m === 'POST /flights') { const b = JSON.parse(body); if (b.note === 'fail') return json(422, { error: { code: 'validation_failed', message: 'Request validation failed', details: [{ code: 'custom', path: ['arrival'], message: 'Arrival is before departure' }, { code: 'too_big', path: ['passengers', '0', 'seatNumber'], message: 'Too long' }] } }); const f = build(next++, b); flights.push(f); return json(201, { data: f }) }
    if ((x = m.match(/^(\w+) \/flights\/(\d+)(\/track)?$/))) { const i = flights.findIndex((f) => f.id === +x[2]); if (i < 0) return json(404, { error: { code: 'not_found', message: 'Flight not found' } })
      if (x[3]) return json(200, { data: tracks.get(+x[2]) ?? null })
      if (x[1] === 'GET') return json(200, { data: flights[i] }); if (x[1] === 'DELETE') { flights.splice(i, 1); return json(204) }
      if (x[1] === 'PUT') { flights[i] = build(flights[i].id, JSON.parse(body)); return json(200, { data: flights[i] }) } }
    return json(404, { error: { code: 'not_found', message: 'No such path ' + m } })
  }
  let f = join(dist, p); if (p === '/' || !extname(p) || !existsSync(f)) f = join(dist, 'index.html')
  r.writeHead(200, { 'content-type': types[extname(f)] ?? 'application/octet-stream', 'content-security-policy': "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; frame-ancestors 'none'" }); r.end(readFileSync(f))
}).listen(port, '127.0.0.1')
