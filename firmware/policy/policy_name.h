/* Names for headers that make policies: of one decision and different constants. */
#ifndef FIRMWARE_POLICY_NAME_H
#define FIRMWARE_POLICY_NAME_H

#define POLICY_NAME_(a, b) a##b
/** The two, after macros in them are replaced, as one name. */
#define POLICY_NAME(a, b)  POLICY_NAME_(a, b)

#define POLICY_TEXT_(name) #name
/** `name`, after macros in it are replaced, as a string. */
#define POLICY_TEXT(name) POLICY_TEXT_(name)

#endif
