import {globSync, readFileSync} from 'node:fs'
import {openReading} from '../../server/imports/reading.ts'
import { pkpassOf } from './wallet.ts'
for (const f of globSync('test/imports/files/pkpass/*').sort()) {
  const t=readFileSync(f,'utf8')
  const bytes=/formatVersion/.test(t)?pkpassOf(t):Buffer.from(t)
  try {
  const r=await openReading(bytes,{source:null,options:{},mapping:null,today:'2026-11-16',documentDate:'2026-11-16',preferredOrder:null,filename:'x'} as never)
  const out:any[]=[]
  for await (const b of r.batches) out.push(...b)
  structuredClone(out)
  console.log(f.split('/').pop(), r.source, JSON.stringify(out).slice(0,700))
  } catch(e) { console.log(f,e) }
}
