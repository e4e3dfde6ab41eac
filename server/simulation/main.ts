import './boundary.ts'
import { installEnvironment } from './environment.ts'
installEnvironment()
const { openDatabase, prepareDatabase } = await import('./database.ts')
const { simulate } = await import('./run.ts')
const { createDatabase } = await import('../test/database.ts')
const [first = 1, runs = 1] = process.argv.slice(2).map(Number)
const temporary = await createDatabase()
await prepareDatabase(temporary.url)
const database = openDatabase(temporary.url)
const cpu = process.cpuUsage()
let bad = 0
for (let seed = first; seed < first + runs; seed++) {
  const r = await simulate(seed, database); if (process.env.DUMP) (await import('node:fs')).writeFileSync(process.env.DUMP + '/' + seed, r.lines.join('\n'))
  if (r.violations.length || runs === 1) { bad++; if (runs === 1 || bad <= 3) console.log(r.lines.slice(-40000).join('\n')) ; console.log(seed, r.hash, r.violations) }
  if (runs > 1 && runs < 50) console.log(seed, r.hash, r.violations.length, r.events, r.statements, r.virtualS, r.videos)
}
const used = process.cpuUsage(cpu)
console.log('cpu ms per run', (used.user + used.system) / 1000 / runs, 'bad', bad)
await database.close()
await temporary.drop()
