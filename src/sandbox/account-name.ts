/** Day names and other first names, and family names, as they are common in Ghana. */
const FIRST_NAMES = [
  ...['Kojo', 'Kwabena', 'Kwaku', 'Yaw', 'Kofi', 'Kwame', 'Kwasi', 'Nii', 'Selorm', 'Emmanuel'],
  ...['Adwoa', 'Abena', 'Akua', 'Yaa', 'Afia', 'Ama', 'Akosua', 'Naa', 'Esi', 'Grace', 'Fatima'],
];
const FAMILY_NAMES = [
  ...['Mensah', 'Owusu', 'Boateng', 'Asante', 'Osei', 'Appiah', 'Agyeman', 'Addo', 'Quaye'],
  ...['Tetteh', 'Lamptey', 'Amoah', 'Ansah', 'Dogbe', 'Agbeko', 'Iddrisu', 'Alhassan', 'Sarpong'],
];

/** A made-up holder of a number: always the same one for the same number, in any spelling. */
export const accountNameOf = (number: string): string => {
  const subscriber = Number(number.replace(/\D/g, '').slice(-9));
  // The last digits choose the scenario; neighbours in a test should still have different names.
  const first = FIRST_NAMES[subscriber % FIRST_NAMES.length];
  const family = FAMILY_NAMES[Math.floor(subscriber / 7) % FAMILY_NAMES.length];
  return `${first} ${family}`;
};
