/**
 * CORS: pages of the operator's other sites (`CORS_ORIGINS`) may call the API and read its responses. They send a key
 * or a token; a browser sends no cookie, because credentials are not allowed. Without the setting no CORS header is
 * ever sent.
 */
import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config/config.ts'

/** The time for which a browser asks no second time. */
const PREFLIGHT_S = 600

export async function registerCors(http: FastifyInstance, { corsOrigins }: Pick<Config, 'corsOrigins'>): Promise<void> {
  if (corsOrigins.length === 0) return
  await http.register(cors, {
    // A function: for a list the package answers the preflight of any origin, without Access-Control-Allow-Origin but
    // with the rest.
    origin: async (origin = '') => corsOrigins.includes(origin) && origin,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    // A page would read few headers otherwise. The wildcard holds because credentials are not allowed (Fetch, 3.3.4).
    exposedHeaders: '*',
    maxAge: PREFLIGHT_S,
  })
}
