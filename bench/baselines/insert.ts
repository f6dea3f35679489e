import { createServer } from 'node:http';
import pg from 'pg';
import { bodyOf } from '../body-of.ts';
import { serve } from '../served.ts';

/** One row for every request, committed before the answer. */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
await pool.query('CREATE TABLE IF NOT EXISTS bench_rows (id bigserial PRIMARY KEY, body text)');

serve(
  createServer((request, response) => {
    bodyOf(request, (body) => {
      void pool
        .query('INSERT INTO bench_rows (body) VALUES ($1)', [body.toString()])
        .then(() => response.end('ok'));
    });
  }),
);
