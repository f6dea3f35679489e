import { MemoryFile, type Random } from './memory-file.ts';

export type MemoryNode = MemoryFile | MemoryFolder;

/** One step, whole or not at all: a rename takes one name away and sets another. */
type NameChange = {
  readonly node: MemoryNode;
  readonly gone?: string;
  readonly name?: string;
};

/** Names in a folder as the system sees them, and those the disk has. They are safe once the folder is flushed. */
export class MemoryFolder {
  readonly ino: number;
  readonly mtimeMs: number;
  readonly size = 0;
  #names = new Map<string, MemoryNode>();
  #safeNames = new Map<string, MemoryNode>();
  #unsafe: NameChange[] = [];

  constructor(ino: number, nowMs: number) {
    this.ino = ino;
    this.mtimeMs = nowMs;
  }

  get(name: string): MemoryNode | undefined {
    return this.#names.get(name);
  }

  names(): string[] {
    return [...this.#names.keys()];
  }

  change(change: NameChange): void {
    apply(this.#names, change);
    this.#unsafe.push(change);
  }

  flush(): void {
    if (this.#unsafe.length === 0) return;
    this.#safeNames = new Map(this.#names);
    this.#unsafe = [];
  }

  /** The system takes the changes for written; they come to the disk only with a later change. */
  failFlush(): void {
    this.#unsafe = [];
  }

  /** The power is cut: of the changes that were not flushed a beginning, or any, reached the disk. */
  crash(random: Random): void {
    const inOrder = random() < 0.5;
    const limit = Math.floor(random() * (this.#unsafe.length + 1));
    this.#unsafe.forEach((change, index) => {
      if (inOrder ? index < limit : random() < 0.5) apply(this.#safeNames, change);
    });
    this.#unsafe = [];
    this.#names = new Map(this.#safeNames);
    for (const node of new Set(this.#names.values())) node.crash(random);
  }
}

const apply = (names: Map<string, MemoryNode>, { node, gone, name }: NameChange): void => {
  if (gone !== undefined && names.get(gone) === node) names.delete(gone);
  if (name !== undefined) names.set(name, node);
};

export const isFile = (node: MemoryNode): node is MemoryFile => node instanceof MemoryFile;
