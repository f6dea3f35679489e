import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readConfig } from '../../src/config/config.ts';
import { names } from '../../src/config/variables.ts';
import { AddressSet, parseAddressRanges } from '../../src/core/http/address-range.ts';

const text = (file: string): string => readFileSync(file, 'utf8');

const service = z.looseObject({
  image: z.string().optional(),
  build: z.looseObject({ args: z.record(z.string(), z.string()) }).optional(),
  command: z.array(z.string()).optional(),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  volumes: z.array(z.string()).optional(),
  ports: z.array(z.string()).optional(),
});
const compose = z
  .looseObject({ services: z.record(z.string(), service), volumes: z.record(z.string(), z.null()) })
  .parse(parse(text('compose.yaml'), { merge: true }));
const instances = Object.entries(compose.services).filter(([name]) => /^paythread-/.test(name));

describe('compose.yaml', () => {
  it('runs two instances, alike but for their port, with a root that cannot be written', () => {
    expect(instances.map(([name]) => name)).toEqual(['paythread-1', 'paythread-2']);
    const alike = instances.map(([, { ports: _, ...rest }]) => rest);
    expect(alike[0]).toEqual(alike[1]);
    for (const [, { read_only, cap_drop, ports = [] }] of instances) {
      expect([read_only, cap_drop]).toEqual([true, ['ALL']]);
      expect(ports.every((port) => port.startsWith('127.0.0.1:'))).toBe(true);
    }
  });

  it('gives them settings that exist and are right', () => {
    const env = instances[0]?.[1].environment ?? {};
    const others = Object.entries(env).filter(([name]) => !(names as string[]).includes(name));
    // Of the other roles of the database they know nothing.
    expect(Object.fromEntries(others)).toEqual({
      POSTGRES_PASSWORD: '',
      DATABASE_OWNER_PASSWORD: '',
    });
    expect(() =>
      readConfig({
        ...env,
        DATABASE_URL: env['DATABASE_URL']?.replace(/\$\{[^}]*\}/, 'secret'),
      }),
    ).not.toThrow();
  });

  it('connects them with the role that may not change the audit trail, once the tables are there', () => {
    for (const [, { environment, depends_on }] of instances) {
      expect(environment?.['DATABASE_URL']).toMatch(
        /^postgres:\/\/paythread_app:\$\{DATABASE_PASSWORD:\?[^}]+\}@database\/paythread$/,
      );
      expect(depends_on).toEqual({ schema: { condition: 'service_completed_successfully' } });
    }
  });

  it('trusts the one address of its proxy, which keeps it', () => {
    const proxy = '172.31.240.2';
    expect(compose.services['proxy']?.['networks']).toEqual({ default: { ipv4_address: proxy } });
    for (const [, { environment = {} }] of instances)
      expect(environment['TRUST_PROXY']).toBe(proxy);
    const network = z
      .object({ subnet: z.string(), ip_range: z.string() })
      .parse(
        z
          .looseObject({ ipam: z.looseObject({ config: z.tuple([z.unknown()]) }) })
          .parse(z.record(z.string(), z.unknown()).parse(compose['networks'])['default']).ipam
          .config[0],
      );
    const [subnet, dynamic] = [network.subnet, network.ip_range].map(
      (range) => new AddressSet(parseAddressRanges(range) ?? []),
    );
    // What compose gives out by itself is not the proxy's.
    expect([subnet?.has(proxy), dynamic?.has(proxy)]).toEqual([true, false]);
  });

  it('gets its passwords from a file for its owner alone', () => {
    expect(text('docs/operations.md')).toContain('\ninstall -m 600 .env.example .env ');
  });

  it('makes the tables as their owner, in a service that ends', () => {
    const { command, environment, restart } = compose.services['schema'] ?? {};
    expect(command).toEqual(['node', 'src/main.js', 'migrate', '--grant', 'paythread_app']);
    expect(existsSync('src/main.js')).toBe(true);
    expect(environment).toEqual({
      DATABASE_URL: expect.stringMatching(
        /^postgres:\/\/paythread_owner:\$\{DATABASE_OWNER_PASSWORD:\?[^}]+\}@database\/paythread$/,
      ),
    });
    expect(restart).toBeUndefined();
  });

  it('has the database make both roles when it is made, each with its own password', () => {
    const { volumes, environment = {} } = compose.services['database'] ?? {};
    expect(volumes).toContain(
      './deploy/database-roles.sh:/docker-entrypoint-initdb.d/database-roles.sh:ro',
    );
    const script = text('deploy/database-roles.sh');
    for (const [role, password] of [
      ['paythread_owner', 'DATABASE_OWNER_PASSWORD'],
      ['paythread_app', 'DATABASE_PASSWORD'],
    ] as const) {
      expect(script).toContain(`\nCREATE ROLE ${role} LOGIN PASSWORD '$${password}';\n`);
      expect(environment[password]).toContain(`\${${password}:?`);
    }
  });

  it('takes every image by the name in .env, such as one with a digest', () => {
    const images = Object.values(compose.services).map(({ image, build }) =>
      build === undefined ? image : build.args['NODE_IMAGE'],
    );
    const taken = images.map((image) => /^\$\{(\w+):-([\w:.-]+)\}$/.exec(image ?? '')?.slice(1));
    expect(taken).toEqual([
      ['NODE_IMAGE', 'node:24-slim'],
      ['NODE_IMAGE', 'node:24-slim'],
      ['NODE_IMAGE', 'node:24-slim'],
      ['POSTGRES_IMAGE', 'postgres:18'],
      ['CADDY_IMAGE', 'caddy:2.11'],
    ]);
    expect(text('Dockerfile')).toMatch(/^ARG NODE_IMAGE=node:24-slim\nFROM \$\{NODE_IMAGE\}$/m);
  });

  it('mounts only files that are here and volumes that it declares', () => {
    const mounted = Object.values(compose.services).flatMap(({ volumes = [] }) =>
      volumes.map((volume) => volume.split(':')[0] ?? ''),
    );
    for (const source of mounted)
      if (source.startsWith('./deploy')) expect(existsSync(source)).toBe(true);
      else if (!source.startsWith('./')) expect(Object.keys(compose.volumes)).toContain(source);
  });
});

describe('deploy/Caddyfile', () => {
  it('passes on exactly what the outside needs, to every instance', () => {
    const caddyfile = text('deploy/Caddyfile');
    expect(caddyfile).toContain('@public path /callbacks/* /slack/events /telegram/webhook');
    for (const [name] of instances) expect(caddyfile).toContain(`${name}:3000`);
  });

  it('leaves no instance out for a time, and keeps the body for the next one', () => {
    const directives = text('deploy/Caddyfile').replace(/#.*$/gm, '');
    expect(directives).not.toMatch(/fail_duration|health_/);
    expect(directives).toContain('request_buffers 1MB');
    expect(compose.services['proxy']?.['image']).toMatch(/CADDY_IMAGE:-caddy:2\.11\}$/);
    const nginx = text('docs/operations.md').match(/^ {2}server 10\..*$/gm) ?? [];
    expect(nginx).toHaveLength(2);
    expect(nginx.every((server) => server.endsWith(' max_fails=0;'))).toBe(true);
  });
});

/** How `npm start` starts it: its options for the memory were chosen by measuring. */
const startCommand = (JSON.parse(text('package.json')) as { scripts: { start: string } }).scripts
  .start;

describe('Dockerfile', () => {
  it('copies only what .dockerignore lets in', () => {
    const copied = [...text('Dockerfile').matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, files = '']) =>
      files.split(' '),
    );
    expect(copied).toContain('src');
    const letIn = text('.dockerignore').split('\n');
    expect(copied.filter((file) => !letIn.includes(`!${file}`))).toEqual([]);
  });

  it('runs as somebody who is not root, checks its health, and takes signals itself', () => {
    const dockerfile = text('Dockerfile');
    expect(dockerfile).toMatch(/^USER 1000:1000$/m);
    expect(dockerfile).toMatch(/^HEALTHCHECK /m);
    const words = startCommand.split(' ').map((word) => JSON.stringify(word));
    expect(dockerfile).toContain(`\nCMD [${words.join(', ')}]\n`);
  });

  it('installs what production needs and no development packages', () => {
    const installs = text('Dockerfile').match(/\bnpm (ci|i|install)\b[^&\n]*/g) ?? [];
    expect(installs.map((command) => command.trim())).toEqual(['npm ci --omit=dev']);
  });
});

describe('the systemd unit', () => {
  it('runs the Node of the machine: what is installed for production brings none', () => {
    expect(text('docs/install.md')).toContain('sudo npm ci --omit=dev');
    expect(text('docs/operations.md')).not.toMatch(/sudo npm ci(?! --omit=dev)/);
  });

  it('starts it as npm start does', () => {
    expect(text('deploy/paythread.service')).toMatch(
      new RegExp(`^ExecStart=/usr/bin/${startCommand}$`, 'm'),
    );
  });
});

describe('docs/operations.md', () => {
  const scripts = Object.keys(
    z
      .looseObject({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(text('package.json'))).scripts,
  );

  it('names only files and scripts of this repository', () => {
    const docs = text('docs/operations.md');
    const links = [...docs.matchAll(/\]\(\.\.\/([^)#]+)\)/g)].map((match) => match[1] ?? '');
    expect(links.length).toBeGreaterThan(5);
    expect(links.filter((file) => !existsSync(file))).toEqual([]);
    const named = [...docs.matchAll(/npm run ([\w:-]+)/g)].map((match) => match[1] ?? '');
    expect(new Set(named)).toEqual(
      new Set([
        'doctor',
        'access',
        'migrate',
        'migrate-store',
        'paythread',
        'backup',
        'restore',
        'reconcile',
        'audit',
        'forget',
      ]),
    );
    expect(named.filter((name) => !scripts.includes(name))).toEqual([]);
  });

  it('links to headings that it has', () => {
    const docs = text('docs/operations.md');
    const anchors = [...docs.matchAll(/^#+ (.+)$/gm)].map((match) =>
      (match[1] ?? '')
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
    const wanted = [...docs.matchAll(/\]\(#([^)]+)\)/g)].map((match) => match[1] ?? '');
    expect(wanted.filter((anchor) => !anchors.includes(anchor))).toEqual([]);
  });
});
