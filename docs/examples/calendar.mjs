// Puts upcoming flights into a calendar: creates a feed and prints the address to subscribe to.
//
//   CONTRAIL_URL=http://localhost:3000 CONTRAIL_KEY=ctk_… node calendar.mjs "Ada's flights"
//
// The address is a secret: anyone who has it can read this feed, and nothing else. It is shown only once, so the program
// prints it and does not store it; delete the feed to revoke the address. The key needs feeds.manage and flight.read.own.
const [name = 'Flights'] = process.argv.slice(2)
const { CONTRAIL_URL = 'http://localhost:3000', CONTRAIL_KEY } = process.env

const response = await fetch(`${CONTRAIL_URL}/api/v1/feeds`, {
  method: 'POST',
  headers: { authorization: `Bearer ${CONTRAIL_KEY}`, 'content-type': 'application/json' },
  body: JSON.stringify({ kind: 'ical', name, past: false, upcoming: true, redact: ['note', 'passengers'] }),
})
const { data, error } = await response.json()
if (!response.ok) throw new Error(`${response.status} ${error.message}`)

const calendar = await (await fetch(data.url)).text()
const lines = calendar.replaceAll(/\r\n[ \t]/g, '').split('\r\n')
for (const line of lines) if (line.startsWith('SUMMARY:')) console.log(line.slice('SUMMARY:'.length))
console.log(data.url.replace(/^https?:/, 'webcal:'))
