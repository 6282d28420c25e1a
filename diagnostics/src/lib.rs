//! Source positions, the diagnostic catalogue, fixes and suggestions of the PCL front end.
