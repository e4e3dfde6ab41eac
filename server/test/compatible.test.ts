/** The compatible APIs, each by the official client of the service whose format it serves, all on one service. */
import { testMcp } from './compatible/mcp.ts'
import { testOpenAi } from './compatible/openai.ts'
import { openKinora } from './harness.ts'

const kinora = await openKinora({ simulator: true })

testOpenAi(kinora)
testMcp(kinora)
