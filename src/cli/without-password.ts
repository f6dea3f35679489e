/** The address of a database as it may be shown. */
export const withoutPassword = (address: string): string => {
  const url = URL.parse(address);
  // What cannot be read cannot be cleaned either.
  if (url === null) return 'postgres://…';
  url.password = '';
  for (const name of ['password', 'sslpassword']) url.searchParams.delete(name);
  return url.href;
};
